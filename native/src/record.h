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
 * over a committed one. */
static inline void commit(struct ring *ring, uint64_t now, uint32_t size) {
  uint32_t end = ring->offset + size;
  ring->last = now;
  ring->extra += size / COMPACT_SIZE - 1;
  SEEN_BY_HANDLERS();
  ring->offset = end;
  release64(ring->memory + RING_POSITION, ring->base + end);
}

/* Writes the begin or end of a call into a ring that begin_record() has given.
 *
 * @param event that says so; 0: a hook does */
static inline __attribute__((always_inline)) void write_call(
    struct ring *ring, uint32_t id, uint32_t payload, uint32_t event) {
  uint64_t now = clock_now(ring->tsc);
  if (RARELY(!has_room(ring, now, COMPACT_SIZE))) {
    ky_record_without_room(ring, &(struct record) {id, payload, event, NULL, 0});
    return;
  }
  store64(ring->memory + ring->offset, compact(id, now, payload));
  commit(ring, now, COMPACT_SIZE);
  end_record(ring);
}

#endif
