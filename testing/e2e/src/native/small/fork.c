/* The child goes on in its parent's main.
 * calls: main 2, child 1, parent 1, both 2
 * uftrace: does not count the call that the child is in */
#include <sys/wait.h>
#include <unistd.h>
static int both(int value) { return value; }
static int child(void) { return both(4); }
static int parent(pid_t pid) {
  int status;
  waitpid(pid, &status, 0);
  return both(WEXITSTATUS(status)) == 4 ? 0 : 1;
}
int main(void) {
  pid_t pid = fork();
  return pid == 0 ? child() : parent(pid);
}
