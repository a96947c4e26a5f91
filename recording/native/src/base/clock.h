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

/* What a recording calls this processor's counter; not defined where there is none that programs may read. */
#if defined(__x86_64__)
#define COUNTER "tsc"
#elif defined(__aarch64__)
#define COUNTER "cntvct"
#endif

/* The recording's clock: the processor's counter, or monotonic nanoseconds. */
static inline struct instant instant_now(bool counter) {
  struct instant instant;
#if defined(__x86_64__)
  if (counter) {
    __asm__ volatile("rdtsc" : "=a"(instant.low), "=d"(instant.high));
    return instant;
  }
#elif defined(__aarch64__)
  if (counter) { /* without the barrier the processor may read it earlier, even before an earlier reading */
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    instant.low = (uint32_t) ticks;
    instant.high = (uint32_t) (ticks >> 32);
    return instant;
  }
#endif
  (void) counter;
  uint64_t now = monotonic_now();
  instant.low = (uint32_t) now;
  instant.high = (uint32_t) (now >> 32);
  return instant;
}

static inline uint64_t clock_now(bool counter) {
  return clock_of(instant_now(counter));
}

#endif
