/* What threads wait for, as states on tracks of their own, and who lets them go on.
 *
 * Who is about to let others go on leaves its track's number beside the object's address in a table; who
 * has waited finds it there. Entries of different objects may replace each other: then nobody knows. */
#ifndef KYMO_WAITS_H
#define KYMO_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "ops.h"

/* What the types of the states are called, in this order. */
enum wait_kind { MUTEX, RWLOCK, SPINLOCK, CONDITION, SEMAPHORE, BARRIER, ONCE_ONLY, THREAD_END, THREAD_START, WAIT_KINDS };

struct wait {
  enum op op; /* what is recorded when it is over */
  enum wait_kind kind;
  const volatile void *object;
  uint64_t caller;
  uint64_t mutex; /* of a condition */
  uint64_t begin; /* clock; 0 if it is not known */
  uint32_t method; /* 0: there is no state */
  uint32_t waits; /* track of the state */
  uint8_t state; /* of the operation when it began */
  uint8_t generation; /* that the state is recorded in */
};

enum { RELEASERS = 2048, RELEASER_WORDS = 8 }; /* a line of the cache for each */

/* By object; entries of other processes and recordings are of another generation. */
extern uint64_t ky_releasers[RELEASERS * RELEASER_WORDS];

/* A state begins now; or did at a time, if that is not 0. */
void ky_wait_begin(struct wait *wait, uint64_t at);

/* This thread's own track, for those whom it lets go on; 0 if there is none. Has the thread known to the
 * recording, and sets the generation. */
uint32_t ky_wait_track(struct wait *wait);

/* It is over, and with it the operation, which has a result.
 *
 * @param other track of the one that let it go on; 0 if nobody did, or nobody knows */
void ky_wait_end(const struct wait *wait, int result, uint32_t other);

/* Only the state is over. */
void ky_wait_end_state(struct wait *wait, uint32_t other);

/* Track of the one that let others go on last; 0 if that is not known, or is this thread. */
uint32_t ky_releaser(const volatile void *object);

/* Track of a thread by the kernel's number. */
uint32_t ky_holder(uint32_t tid);

static inline uint64_t *releaser_place(uint64_t object) {
  return ky_releasers + (object >> 6) % RELEASERS * RELEASER_WORDS;
}

static inline uint64_t releaser_entry(uint64_t object, uint32_t tag) {
  return object >> 3 << 32 | tag;
}

/* This thread is about to let others go on. */
static inline void lets_go_on(const volatile void *pointer) {
  const struct ring *ring = ky_ring;
  if (op_state(OWNERS) != 0 && ring != NULL) {
    uint64_t *place = releaser_place(OBJECT(pointer));
    uint64_t entry = releaser_entry(OBJECT(pointer), ring->tag);
    if (__atomic_load_n(place, __ATOMIC_RELAXED) != entry) {
      __atomic_store_n(place, entry, __ATOMIC_RELAXED);
    }
  }
}

#endif
