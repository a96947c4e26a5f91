/* A handler with a stack of its own.
 * calls: main 1, handler 1, inside 1 */
#include <signal.h>
#include <stdlib.h>
static volatile int seen;
static void inside(void) { seen++; }
static void handler(int number) { (void) number; inside(); }
int main(void) {
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaltstack(&stack, NULL);
  sigaction(SIGUSR2, &action, NULL);
  raise(SIGUSR2);
  return seen == 1 ? 0 : 1;
}
