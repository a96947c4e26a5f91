/* A handler that comes while functions begin and end. It prints how often.
 * calls: main 1 */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static volatile int seen;
static volatile int sum;
static void handler(int number) { (void) number; seen++; }
static void spin(void) { sum++; }
int main(void) {
  struct itimerval often = {{0, 1000}, {0, 1000}};
  struct itimerval never = {{0, 0}, {0, 0}};
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &often, NULL);
  while (seen < 20) spin();
  setitimer(ITIMER_REAL, &never, NULL);
  signal(SIGALRM, SIG_IGN);
  printf("handler %d\nspin %d\n", seen, sum);
  return 0;
}
