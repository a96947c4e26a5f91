/* Two processes that send a byte to and fro through pipes: pingpong ROUNDS [CPU].
   Prints the processor time of both, nanoseconds, on standard output. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long nanos(int who) {
  struct rusage used;
  getrusage(who, &used);
  return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000LL
      + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000LL;
}

int main(int count, char **words) {
  int rounds = count > 1 ? atoi(words[1]) : 20000;
  int there[2], back[2];
  char ball = 0;
  if (count > 2) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(words[2]), &set);
    sched_setaffinity(0, sizeof set, &set);
  }
  if (pipe(there) != 0 || pipe(back) != 0) {
    return 1;
  }
  if (fork() == 0) {
    for (int i = 0; i < rounds; i++) {
      if (read(there[0], &ball, 1) != 1 || write(back[1], &ball, 1) != 1) {
        return 1;
      }
    }
    return 0;
  }
  for (int i = 0; i < rounds; i++) {
    if (write(there[1], &ball, 1) != 1 || read(back[0], &ball, 1) != 1) {
      return 1;
    }
  }
  wait(0);
  printf("%lld\n", nanos(RUSAGE_SELF) + nanos(RUSAGE_CHILDREN));
  return 0;
}
