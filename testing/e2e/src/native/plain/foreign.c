/* Says which libraries are to be preloaded into it. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  printf("preloaded: %s\n", preloaded == NULL ? "none" : preloaded);
  return 7;
}
