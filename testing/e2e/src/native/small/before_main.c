/* calls: main 1, before 1, after 1, at_exit 2 */
#include <stdlib.h>
static int made;
__attribute__((constructor)) static void before(void) { made++; }
__attribute__((destructor)) static void after(void) { made--; }
static void at_exit(void) { made += 2; }
int main(void) {
  atexit(at_exit);
  atexit(at_exit);
  return made - 1;
}
