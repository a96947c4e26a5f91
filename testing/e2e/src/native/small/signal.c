/* calls: main 1, handler 3, work 3 */
#include <signal.h>
static volatile int seen;
static void work(void) { seen++; }
static void handler(int number) { (void) number; work(); }
int main(void) {
  signal(SIGUSR1, handler);
  for (int i = 0; i < 3; i++) raise(SIGUSR1);
  return seen == 3 ? 0 : 1;
}
