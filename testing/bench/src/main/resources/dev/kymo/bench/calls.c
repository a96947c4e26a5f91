/* The loop of CallLoop.java for tools that trace C. Arguments: calls, rounds of warm-up, rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

volatile int sink;

__attribute__((noinline)) int call(int n) { return n * 31 + 7; }

__attribute__((no_instrument_function)) static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

__attribute__((no_instrument_function)) int main(int argc, char **argv) {
  int calls = atoi(argv[1]), warm_up = atoi(argv[2]), rounds = atoi(argv[3]);
  double *nanos = malloc(rounds * sizeof *nanos);
  for (int round = -warm_up; round < rounds; round++) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < calls; i++) {
      sink += call(i);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (round >= 0) {
      nanos[round] = ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / calls;
    }
  }
  qsort(nanos, rounds, sizeof *nanos, compare);
  printf("%f\n", nanos[rounds / 2]);
  return 0;
}
