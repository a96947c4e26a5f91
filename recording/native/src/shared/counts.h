/* Calls that are counted instead of recorded (CountersLayout of format/). Each thread has a block in shared memory for
 * each function and mode, and only that thread writes into it. So counts are in the recording even if the process is
 * killed by its next instruction.
 *
 * A signal handler may interrupt the counting and count in the same block; so one instruction changes each number. */
#ifndef KYMO_COUNTS_H
#define KYMO_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/guest.h"
#include "base/layout.h"
#include "call.h"
#include "ring.h"

/* A governed function is one that is not always recorded as events. Governed functions are numbered from 1; each has
 * one slot for each mode in which it is counted. */
enum { MOST_GOVERNED = 65535, SLOTS = 2 * (MOST_GOVERNED + 1) };
enum { COUNTERS_SIZE = 64 * 1024 * 1024, MOST_BLOCKS = (COUNTERS_SIZE - COUNTERS_HEADER_SIZE) / COUNTER_SIZE };

/* In memory that a fork zeroes. */
struct counters {
  struct lock lock; /* protects the threads' slots, and the blocks as a whole */
  uint8_t *memory; /* NULL: not made yet */
  uint32_t present; /* bytes that have memory */
  uint32_t blocks;
  uint32_t next; /* where the search for a free block begins */
  uint32_t slots; /* no thread has used this slot or a higher one */
  uint64_t before[MOST_BLOCKS]; /* calls at the last look */
};

static inline uint32_t slot_of(uint32_t governed, uint32_t mode) {
  return mode == MODE_EVENTS ? 0 : 2 * governed + (mode == MODE_SAMPLED);
}

static inline uint32_t mode_of(uint32_t slot) {
  return slot % 2 == 1 ? MODE_SAMPLED : MODE_TIMED;
}

/* Makes the shared memory; false if there is none. By one thread at a time, within a guard. */
bool ky_counters_open(struct process *process);

/* The calling thread's block of a function in a slot; NULL if there is no memory for it. Within a guard. */
uint8_t *ky_counter(struct process *process, struct ring *ring, uint32_t slot, uint32_t number);

/* The ring's thread ends, and its blocks are final. Within a guard, by the owner. */
void ky_counters_retire(struct process *process, struct ring *ring);

static inline void counter_add64(uint8_t *at, uint64_t value) {
#if defined(__x86_64__)
  __asm__ volatile("addq %1, %0" : "+m"(*(uint64_t *) (void *) at) : "er"(value) : "cc");
#else
  __atomic_fetch_add((uint64_t *) (void *) at, value, __ATOMIC_RELAXED);
#endif
}

static inline void counter_add32(uint8_t *at, uint32_t value) {
#if defined(__x86_64__)
  __asm__ volatile("addl %1, %0" : "+m"(*(uint32_t *) (void *) at) : "er"(value) : "cc");
#else
  __atomic_fetch_add((uint32_t *) (void *) at, value, __ATOMIC_RELAXED);
#endif
}

/* Whether a call is timed in a mode in which not all are: the first call is, and one of 128 on average, in no regular
 * pattern. */
static inline bool is_picked(uint64_t calls) {
  uint64_t mixed = calls * UINT64_C(0x9E3779B97F4A7C15);
  mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
  return mixed >> 57 == 0 || calls == 1;
}

/* Whether the thread runs on its own stack. On other stacks recursion cannot be recognized, because a context may move
 * to another thread. */
static inline bool is_on_own_stack(const struct ring *ring) {
  return ring->running == ring->thread;
}

/* Counts a call that begins. The clock is read last. */
static inline void count_begin(const struct ring *ring, uint8_t *block, struct call *call) {
  counter_add64(block + COUNTER_CALLS, 1);
  if (mode_of(call->slot) == MODE_SAMPLED) {
    if (!is_picked(load64_acquire(block + COUNTER_CALLS))) {
      call->begin = 0;
      return;
    }
  } else if (is_on_own_stack(ring)) {
    counter_add32(block + COUNTER_RUNNING, 1);
  }
  call->begin = clock_now(ring->tsc);
}

/* The same as CountersLayout.bucket. */
static inline uint32_t counter_bucket(uint64_t ticks) {
  if (ticks < 16) {
    return 0;
  }
  uint32_t zeros = (uint32_t) __builtin_clzll(ticks);
  uint32_t half = zeros > 62 ? 0 : (uint32_t) (ticks >> (62 - zeros)) & 1;
  uint32_t bucket = 2 * (63 - zeros) - 7 + half;
  return bucket < COUNTER_BUCKETS ? bucket : COUNTER_BUCKETS - 1;
}

/* Counts the end of a timed call. */
static inline void count_end(
    const struct ring *ring, uint8_t *block, uint32_t slot, uint64_t begin, uint64_t now) {
  uint64_t duration = now > begin ? now - begin : 0;
  bool outermost = true;
  if (mode_of(slot) == MODE_TIMED && is_on_own_stack(ring)) {
    counter_add32(block + COUNTER_RUNNING, UINT32_MAX);
    outermost = (int32_t) load32_acquire(block + COUNTER_RUNNING) <= 0;
  }
  counter_add64(block + COUNTER_DURATIONS, duration);
  if (outermost) {
    counter_add64(block + COUNTER_TICKS, duration);
  }
  uint64_t longest = load64_acquire(block + COUNTER_MAX);
  while (duration > longest
      && !__atomic_compare_exchange_n((uint64_t *) (void *) (block + COUNTER_MAX), &longest, duration, false,
          __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  counter_add32(block + COUNTER_HISTOGRAM + 4 * counter_bucket(duration), 1);
  counter_add64(block + COUNTER_TIMED, 1);
}

#endif
