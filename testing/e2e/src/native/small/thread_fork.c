/* A thread that forks; the child goes on in its call.
 * calls: main 1, begin 2, child 1
 * uftrace: does not count the call that the child is in */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void child(void) { _exit(0); }
static void *begin(void *argument) {
  pid_t pid = fork();
  if (pid == 0) child();
  waitpid(pid, NULL, 0);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, begin, NULL);
  pthread_join(thread, NULL);
  return 0;
}
