/* A child leaves the root directory and then starts a thread, which calls a function 1000 times. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int one_more(int n) {
  return n + 1;
}

static void *work(void *count) {
  int *n = count;
  for (int i = 0; i < 1000; i++) {
    *n = one_more(*n);
  }
  return count;
}

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    int n = one_more(0);
    pthread_t thread;
    if (chroot("/proc/self/fdinfo") != 0 || chdir("/") != 0 || pthread_create(&thread, NULL, work, &n) != 0) {
      _exit(1);
    }
    pthread_join(thread, NULL);
    _exit(n == 1001 ? 3 : 4);
  }
  int status;
  waitpid(child, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
}
