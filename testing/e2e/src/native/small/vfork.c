/* calls: main 1, start 2 */
#include <sys/wait.h>
#include <unistd.h>
static int start(void) {
  int status;
  pid_t pid = vfork();
  if (pid == 0) {
    execl("/bin/true", "true", (char *) NULL);
    _exit(1);
  }
  waitpid(pid, &status, 0);
  return status;
}
int main(void) { return start() + start(); }
