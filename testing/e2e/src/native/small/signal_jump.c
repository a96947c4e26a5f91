/* calls: main 1, handler 2, fault 2 */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
static sigjmp_buf out;
static int *volatile nowhere;
static void handler(int number) { siglongjmp(out, number); }
static void fault(void) { *nowhere = 1; }
int main(void) {
  volatile int caught = 0;
  signal(SIGSEGV, handler);
  for (volatile int i = 0; i < 2; i++) {
    if (sigsetjmp(out, 1) == 0) fault(); else caught++;
  }
  return caught == 2 ? 0 : 1;
}
