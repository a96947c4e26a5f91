/* The hot path: the thread's ring, the clock, one or two stores, and the release store of the position. Everything rare
 * is elsewhere. */
#ifndef KYMO_RECORD_H
#define KYMO_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "shared/threads.h"

#define RARELY(condition) __builtin_expect(!!(condition), 0)
#define OUT_OF_LINE __attribute__((noinline, cold))

/* Handlers run on the thread that they interrupt, so a fence for the compiler is enough. */
#define SEEN_BY_HANDLERS() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Writes or defers a record on the slow path: makes the ring or the room for it, joins the recording, asks triggers.
 *
 * @param frame of the function that the program called */
OUT_OF_LINE void ky_record_slowly(const struct record *record, const void *frame);

/* There is no room for a record: releases the ring and takes the slow path. */
OUT_OF_LINE void ky_record_without_room(struct ring *ring, const struct record *record);

/* The same for a call and for an event; tail calls with arguments in registers, so the caller needs no stack frame. */
OUT_OF_LINE void ky_call_without_room(struct ring *ring, uint32_t id, uint32_t payload, uint32_t event);
OUT_OF_LINE void ky_event_without_room(struct ring *ring, uint32_t event, uint64_t argument);

/* The hot path with the monotonic clock, which is read by a function call. */
__attribute__((noinline)) void ky_write_monotonic_call(
    struct ring *ring, uint32_t id, uint32_t payload, uint32_t event);
__attribute__((noinline)) void ky_write_monotonic_event(struct ring *ring, uint32_t event, uint64_t argument);

OUT_OF_LINE void ky_record_deferred(struct ring *ring);

/* An event is too large: counts it as lost, and reports that once. */
OUT_OF_LINE void ky_refuse(uint32_t number, size_t size);

/* Marks the calling thread's ring as busy and returns it; NULL if no record can be written into it now. */
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

/* Whether there is room for a compact record of `size` bytes. */
static inline bool has_room(const struct ring *ring, uint64_t now, uint32_t size) {
  return (uint32_t) (now >> 32) == ring->high && ring->offset + size <= ring->limit;
}

/* Stores the offset before the position: if a handler leaves by a jump in between, the next record must not be written
 * over a committed one.
 *
 * @param memory of the ring, like its base: the caller has loaded both */
static inline void commit_to(struct ring *ring, uint8_t *memory, uint64_t base, uint64_t now, uint32_t end) {
  ring->last = now;
  SEEN_BY_HANDLERS();
  ring->offset = end;
  ring_position_release(memory, base + end);
}

static inline void commit(struct ring *ring, uint64_t now, uint32_t size) {
  ring->extra += size / COMPACT_SIZE - 1;
  commit_to(ring, ring->memory, ring->base, now, ring->offset + size);
}

/* Writes a word with its clock, and the argument after it, into a ring from begin_record(); false if there is no room.
 * Everything is loaded before the clock is read, because some processors wait there for earlier loads.
 *
 * @param argument NULL: there is none */
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
  store64_relaxed(memory + at, word | (uint64_t) now.low << COMPACT_CLOCK_SHIFT);
  if (argument != NULL) {
    store64_relaxed(memory + at + COMPACT_SIZE, *argument);
    ring->extra++;
  }
  commit_to(ring, memory, base, clock_of(now), end);
  end_record(ring);
  return true;
}

/* Writes the begin or end of a call into a ring from begin_record().
 *
 * @param event that reports it; 0: a hook reports it */
static inline __attribute__((always_inline)) void write_call(
    struct ring *ring, uint32_t id, uint32_t payload, uint32_t event) {
  if (RARELY(!ring->tsc)) {
    ky_write_monotonic_call(ring, id, payload, event);
  } else if (RARELY(!write_words(ring, true, compact(id, 0, payload), NULL))) {
    ky_call_without_room(ring, id, payload, event);
  }
}

#endif
