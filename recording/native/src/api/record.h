/* The hot path: thread's ring, clock, one or two stores, and the release store of the position. What is
 * rare is done elsewhere. */
#ifndef KYMO_RECORD_H
#define KYMO_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"
#include "threads.h"

#define RARELY(condition) __builtin_expect(!!(condition), 0)
#define OUT_OF_LINE __attribute__((noinline, cold))

/* Handlers run on the thread that they interrupt: only the compiler must be kept from moving things. */
#define SEEN_BY_HANDLERS() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Whether this runs in a handler that interrupted a record, rather than after a handler that left one by
 * a jump.
 *
 * @param here frame of the function that the program called */
bool ky_is_nested(const struct ring *ring, const char *here);

/* Writes or defers a record whatever there is no ring for, or no room in it.
 *
 * @param frame of the function that the program called */
OUT_OF_LINE void ky_record_slowly(const struct record *record, const void *frame);

/* The same within a guard, of a process that is being recorded. */
void ky_record_guarded(struct process *process, const struct record *record, const void *frame);

/* The record finds no room: back to where the rare things are done. */
OUT_OF_LINE void ky_record_without_room(struct ring *ring, const struct record *record);

/* The same of a call and of an event: whoever calls them last, with what it has in registers, needs no stack. */
OUT_OF_LINE void ky_call_without_room(struct ring *ring, uint32_t id, uint32_t payload, uint32_t event);
OUT_OF_LINE void ky_event_without_room(struct ring *ring, uint32_t event, uint64_t argument);

/* The same of the other clock, which is asked for by a call. */
__attribute__((noinline)) void ky_write_monotonic_call(
    struct ring *ring, uint32_t id, uint32_t payload, uint32_t event);
__attribute__((noinline)) void ky_write_monotonic_event(struct ring *ring, uint32_t event, uint64_t argument);

OUT_OF_LINE void ky_record_deferred(struct ring *ring);

/* An event is too large: counted as lost, and said once. */
OUT_OF_LINE void ky_refuse(uint32_t number, size_t size);

/* The calling thread's ring if a record may be written into it now, of which it then knows. */
static inline struct ring *begin_record(uint8_t state) {
  struct ring *ring = ky_ring;
  if (RARELY(ring == NULL || ring->generation != state || ring->busy != NULL)) {
    return NULL;
  }
  ring->busy = __builtin_frame_address(0);
  SEEN_BY_HANDLERS();
  return ring;
}

static inline void end_record(struct ring *ring) {
  SEEN_BY_HANDLERS();
  ring->busy = NULL;
  SEEN_BY_HANDLERS();
  if (RARELY(ring->deferred != 0)) {
    ky_record_deferred(ring);
  }
}

/* Whether a compact record of so many bytes can be written. */
static inline bool has_room(const struct ring *ring, uint64_t now, uint32_t size) {
  return (uint32_t) (now >> 32) == ring->high && ring->offset + size <= ring->limit;
}

/* The offset before the position: a handler that leaves by a jump must not have the next record written
 * over a committed one.
 *
 * @param memory of the ring, as its base: whoever calls has loaded them */
static inline void commit_to(struct ring *ring, uint8_t *memory, uint64_t base, uint64_t now, uint32_t end) {
  ring->last = now;
  SEEN_BY_HANDLERS();
  ring->offset = end;
  release64(memory + RING_POSITION, base + end);
}

static inline void commit(struct ring *ring, uint64_t now, uint32_t size) {
  ring->extra += size / COMPACT_SIZE - 1;
  commit_to(ring, ring->memory, ring->base, now, ring->offset + size);
}

/* Writes a word, its clock and what lies behind it into a ring that begin_record() has given; false if there
 * is no room. All that is needed is loaded before the clock is read: some processors wait for loads there.
 *
 * @param argument NULL: nothing lies behind it */
static inline __attribute__((always_inline)) bool write_words(
    struct ring *ring, bool tsc, uint64_t word, const uint64_t *argument) {
  uint32_t at = ring->offset;
  uint32_t end = at + (argument == NULL ? COMPACT_SIZE : 2 * COMPACT_SIZE);
  bool room = end <= ring->limit;
  uint32_t high = ring->high;
  uint8_t *memory = ring->memory;
  uint64_t base = ring->base;
  struct instant now = instant_now(tsc);
  if (RARELY(!room || now.high != high)) {
    return false;
  }
  store64(memory + at, word | (uint64_t) now.low << COMPACT_CLOCK_SHIFT);
  if (argument != NULL) {
    store64(memory + at + COMPACT_SIZE, *argument);
    ring->extra++;
  }
  commit_to(ring, memory, base, clock_of(now), end);
  end_record(ring);
  return true;
}

/* Writes the begin or end of a call into a ring that begin_record() has given.
 *
 * @param event that says so; 0: a hook does */
static inline __attribute__((always_inline)) void write_call(
    struct ring *ring, uint32_t id, uint32_t payload, uint32_t event) {
  if (RARELY(!ring->tsc)) {
    ky_write_monotonic_call(ring, id, payload, event);
  } else if (RARELY(!write_words(ring, true, compact(id, 0, payload), NULL))) {
    ky_call_without_room(ring, id, payload, event);
  }
}

#endif
