/* What threads wait for, as states on tracks of their own, and who lets them continue.
 *
 * A thread that is about to let others continue writes its track's number with the object's address into a table, where
 * threads that have waited find it. Entries of different objects may replace each other; then it is not known who
 * did. */
#ifndef KYMO_WAITS_H
#define KYMO_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/words.h"
#include "ops.h"

#define CONSTANT(constant, word) constant,
enum wait_kind { WAIT_KINDS(CONSTANT) NUMBER_OF_WAIT_KINDS };
#undef CONSTANT

struct wait {
  enum op op; /* recorded when the wait is over */
  enum wait_kind kind;
  const volatile void *object;
  uint64_t caller;
  uint64_t mutex; /* of a condition */
  uint64_t begin; /* clock; 0: not known */
  uint32_t method; /* 0: there is no state */
  uint32_t waits; /* track of the state */
  uint8_t state; /* the operation's state at the begin */
  uint8_t generation; /* of the recording that has the state */
};

enum { RELEASERS = 2048, RELEASER_WORDS = 8 }; /* each has a cache line */

/* By object; entries of other processes and recordings have another generation. */
extern uint64_t ky_releasers[RELEASERS * RELEASER_WORDS];

/* Records the begin of a state: now, or at a time that is not 0. */
void ky_wait_begin(struct wait *wait, uint64_t at);

/* This thread's own track, for threads that it lets continue; 0 if there is none. Defines the thread in the recording,
 * and sets the generation. */
uint32_t ky_wait_track(struct wait *wait);

/* Records the end of the state and the operation with its result.
 *
 * @param other track of the thread that let this one continue; 0: none did, or it is not known */
void ky_wait_end(const struct wait *wait, int result, uint32_t other);

/* Records only the end of the state. */
void ky_wait_end_state(struct wait *wait, uint32_t other);

/* Track of the thread that last let others continue; 0 if it is not known, or is this thread. */
uint32_t ky_releaser(const volatile void *object);

/* Track of a thread, by the kernel's number of the thread. */
uint32_t ky_holder(uint32_t tid);

static inline uint64_t *releaser_place(uint64_t object) {
  return ky_releasers + (object >> 6) % RELEASERS * RELEASER_WORDS;
}

static inline uint64_t releaser_entry(uint64_t object, uint32_t tag) {
  return object >> 3 << 32 | tag;
}

/* To be called before this thread lets others continue. */
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
