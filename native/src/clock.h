#ifndef KYMO_CLOCK_H
#define KYMO_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* The recording's clock: the processor's counter, or monotonic nanoseconds. */
static inline uint64_t clock_now(bool tsc) {
#if defined(__x86_64__)
  if (tsc) {
    return __rdtsc();
  }
#endif
  (void) tsc;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * UINT64_C(1000000000) + (uint64_t) now.tv_nsec;
}

#endif
