/* calls: main 1, start 3 */
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
extern char **environ;
static int start(void) {
  pid_t pid;
  int status;
  char *arguments[] = {"true", NULL};
  if (posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, environ) != 0) return 1;
  waitpid(pid, &status, 0);
  return status;
}
int main(void) { return start() + start() + start(); }
