/* A child that clone() makes, whose function returns its exit status: nothing else of the process ends.
 * calls: factorial 9, child 1, main 2
 * uftrace: does not count the call that the child is in
 * exit: 4 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>

static char stack[1 << 20] __attribute__((aligned(16)));

static int factorial(int n) {
  return n > 0 ? n * factorial(n - 1) : 1;
}

static int child(void *argument) {
  (void) argument;
  return factorial(3) - 2;
}

int main(void) {
  int status = 0;
  pid_t pid = clone(child, stack + sizeof stack, SIGCHLD, NULL);
  waitpid(pid, &status, 0);
  return factorial(4) == 24 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
