#ifndef KYMO_CLOCK_H
#define KYMO_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A reading of the clock in halves, as the processor returns it and records store it. */
struct instant {
  uint32_t low;
  uint32_t high;
};

static inline uint64_t clock_of(struct instant instant) {
  return (uint64_t) instant.high << 32 | instant.low;
}

static inline uint64_t monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * UINT64_C(1000000000) + (uint64_t) now.tv_nsec;
}

/* The recording's clock: the processor's counter, or monotonic nanoseconds. */
static inline struct instant instant_now(bool tsc) {
  struct instant instant;
#if defined(__x86_64__)
  if (tsc) {
    __asm__ volatile("rdtsc" : "=a"(instant.low), "=d"(instant.high));
    return instant;
  }
#endif
  (void) tsc;
  uint64_t now = monotonic_now();
  instant.low = (uint32_t) now;
  instant.high = (uint32_t) (now >> 32);
  return instant;
}

static inline uint64_t clock_now(bool tsc) {
  return clock_of(instant_now(tsc));
}

#endif
