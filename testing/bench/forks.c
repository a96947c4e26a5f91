/* Many short processes with threads: argument 1 processes one after the other, argument 2 threads of each, at
 * once. Prints the seconds. Built with -finstrument-functions each thread makes a few calls. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static __attribute__((noinline)) void call(int *times) {
  (*times)++;
}

static void *work(void *argument) {
  static _Thread_local int times;
  for (int i = 0; i < 10; i++) {
    call(&times);
  }
  return argument;
}

static void child(int threads) {
  pthread_t all[threads];
  for (int i = 0; i < threads; i++) {
    pthread_create(&all[i], NULL, work, NULL);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(all[i], NULL);
  }
  exit(0);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  int processes = count > 1 ? atoi(arguments[1]) : 200;
  int threads = count > 2 ? atoi(arguments[2]) : 20;
  double begin = now();
  for (int i = 0; i < processes; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      child(threads);
    }
    waitpid(pid, NULL, 0);
  }
  printf("%.3f\n", now() - begin);
  return 0;
}
