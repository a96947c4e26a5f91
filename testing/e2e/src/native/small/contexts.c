/* Two stacks that take turns.
 * calls: main 1, other 1, turn 3 */
#include <stdlib.h>
#include <ucontext.h>
static ucontext_t here;
static ucontext_t there;
static int turns;
static void turn(void) { turns++; swapcontext(&there, &here); }
static void other(void) { for (int i = 0; i < 3; i++) turn(); }
int main(void) {
  getcontext(&there);
  there.uc_stack.ss_sp = malloc(65536);
  there.uc_stack.ss_size = 65536;
  there.uc_link = &here;
  makecontext(&there, other, 0);
  for (int i = 0; i < 4; i++) swapcontext(&here, &there);
  return turns == 3 ? 0 : 1;
}
