/* What a recorded call costs: functions calls MILLIONS N prints nanoseconds and clock ticks of a call more than
 * without hooks, and of the bare clock; functions tree DEPTH makes 2^DEPTH calls. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#define PLAIN __attribute__((noinline, no_instrument_function))

enum { ROUNDS = 31, CALLS = 200000 };

__attribute__((noinline)) int recorded(int i) {
  __asm__ volatile("");
  return i;
}

PLAIN int plain(int i) {
  __asm__ volatile("");
  return i;
}

__attribute__((noinline)) long tree(int depth) {
  return depth == 0 ? 1 : tree(depth - 1) + tree(depth - 1);
}

PLAIN static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

PLAIN static int compare(const void *a, const void *b) {
  double x = *(const double *) a;
  double y = *(const double *) b;
  return (x > y) - (x < y);
}

PLAIN static double median(double *of) {
  qsort(of, ROUNDS, sizeof *of, compare);
  return of[ROUNDS / 2];
}

PLAIN int main(int count, char **arguments) {
  static double with[ROUNDS];
  static double without[ROUNDS];
  static double clock[ROUNDS];
  volatile uint64_t sink;
  volatile int sum = 0;
  if (count > 2 && strcmp(arguments[1], "tree") == 0) {
    printf("%ld\n", tree(atoi(arguments[2])));
    return 0;
  }
  for (int round = 0; round < ROUNDS; round++) {
    double begin = now();
    for (int i = 0; i < CALLS; i++) {
      sum += recorded(i);
    }
    double middle = now();
    for (int i = 0; i < CALLS; i++) {
      sum += plain(i);
    }
    double then = now();
    for (int i = 0; i < CALLS; i++) {
      sink = __rdtsc();
    }
    with[round] = (middle - begin) / CALLS;
    without[round] = (then - middle) / CALLS;
    clock[round] = (now() - then) / CALLS;
  }
  (void) sink;
  double cost = median(with) - median(without);
  printf("%-8s call %6.1f ns  clock %5.1f ns  call / clock %5.2f\n", count > 1 ? arguments[1] : "",
      cost, median(clock), cost / median(clock));
  return 0;
}
