/* Ends without saying so: ends exit, ends abort. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int one_more(int n) {
  return n + 1;
}

int main(int count, char **words) {
  if (one_more(count) == 3 && strcmp(words[1], "exit") == 0) {
    _exit(3);
  }
  abort();
}
