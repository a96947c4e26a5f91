/* One program, built in many ways: calls, a jump, a thread, a child, and itself again by exec. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf place;
static int at_end;

static __attribute__((noinline)) int one_more(int n) {
  __asm__ volatile("");
  return n + 1;
}

static __attribute__((noinline)) int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void *work(void *number) {
  *(int *) number = fib(12);
  return number;
}

static void finish(void) {
  printf("end %d\n", at_end);
  fflush(stdout);
}

static void on_signal(int signal) {
  at_end = one_more(signal);
}

static __attribute__((constructor)) void begin(void) {
  at_end = one_more(1);
}

int main(int count, char **words) {
  pthread_t thread;
  int number = 0;
  int status = 0;
  char text[64];
  if (count > 1) {
    printf("again %s\n", words[1]);
    return 7;
  }
  atexit(finish);
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  if (setjmp(place) == 0) {
    longjmp(place, one_more(0));
  }
  snprintf(text, sizeof text, "%d", fib(10));
  pthread_create(&thread, NULL, work, &number);
  pthread_join(thread, NULL);
  printf("%s %d\n", text, number);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", words[0], "child", (char *) NULL);
    _exit(1);
  }
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) + one_more(1);
}
