/* The functions that record: thread's ring, clock, one or two stores, and the release store of the
 * position. What is rare is done elsewhere. */
#include <signal.h>
#include <string.h>

#include "clock.h"
#include "events.h"
#include "record.h"
#include "threads.h"
#include "triggers.h"

/* The stack grows down, but a handler may have one of its own. */
bool ky_is_nested(const struct ring *ring, const char *here) {
  const char *busy = ring->busy;
  stack_t own;
  if (sigaltstack(NULL, &own) == 0) {
    const char *bottom = own.ss_sp;
    if ((own.ss_flags & SS_ONSTACK) != 0) {
      return true;
    }
    if ((own.ss_flags & SS_DISABLE) == 0 && busy >= bottom && busy < bottom + own.ss_size) {
      return false;
    }
  }
  return here < busy;
}

static OUT_OF_LINE void slowly(const struct record *record, const void *frame) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  struct consequences consequences = {false, false};
  bool wanted = process != NULL && ky_trigger(process, record, &consequences);
  struct ring *ring = ky_ring;
  if (wanted && ring != NULL && ring->generation == process->generation && ring->busy != NULL
      && (ring->raw != NULL || ky_is_nested(ring, frame))) {
    ky_ring_defer(process, ring, record);
  } else if (wanted) {
    ring = ky_own_ring(process);
    if (ring == NULL) {
      ky_lose_without_ring(process);
    } else {
      ring->busy = NULL; /* if a handler left a record by a jump */
      ky_ring_write_deferred(process, ring);
      ky_ring_record(process, ring, record);
    }
  }
  if (process != NULL) {
    ky_follow(process, &consequences);
  }
  ky_guard_end(&guard);
}

OUT_OF_LINE void ky_write_deferred(struct ring *ring) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  if (process != NULL && ring->generation == process->generation && ring->busy == NULL) {
    ky_ring_write_deferred(process, ring);
  }
  ky_guard_end(&guard);
}

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
    ky_write_deferred(ring);
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

/* The record finds no room: back to where the rare things are done. */
static OUT_OF_LINE void no_room(struct ring *ring, const struct record *record) {
  ring->busy = NULL;
  SEEN_BY_HANDLERS();
  if (ky_ring_is_full(ring)) {
    ky_ring_lose(ring); /* without a system call */
  } else {
    slowly(record, __builtin_frame_address(0));
  }
}

void kymo_event(uint32_t number, uint64_t argument) {
  uint8_t state = event_state(number);
  if (state == 0) {
    return;
  }
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(&(struct record) {RECORD_EVENT, number, argument, NULL, 0}, __builtin_frame_address(0));
    return;
  }
  uint64_t now = clock_now(ring->tsc);
  if (RARELY(!has_room(ring, now, 16))) {
    no_room(ring, &(struct record) {RECORD_EVENT, number, argument, NULL, 0});
    return;
  }
  uint8_t *to = ring->memory + ring->offset;
  store64(to, compact(RECORD_EVENT, now, number));
  store64(to + 8, argument);
  commit(ring, now, 16);
  end_record(ring);
}

OUT_OF_LINE void ky_refuse(uint32_t number, size_t size) {
  static bool said;
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  if (process != NULL) {
    const struct event *event = ky_event_of(number);
    ky_lose_without_ring(process);
    if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED)) {
      ky_say("an event is too large and is lost: event=%s.%s bytes=%zu most=%u; record less of it",
          event->subsystem->name, event->name, size, KYMO_MOST_DATA);
    }
  }
  ky_guard_end(&guard);
}

void kymo_event_data(uint32_t number, const void *data, size_t size) {
  uint8_t state = event_state(number);
  if (state == 0) {
    return;
  }
  if (RARELY(size > KYMO_MOST_DATA)) {
    ky_refuse(number, size);
    return;
  }
  uint32_t length = (uint32_t) size;
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(&(struct record) {RECORD_EVENT_DATA, number, 0, data, length}, __builtin_frame_address(0));
    return;
  }
  uint64_t now = clock_now(ring->tsc);
  uint32_t rounded = data_size(length);
  if (RARELY(!has_room(ring, now, 16 + rounded))) {
    no_room(ring, &(struct record) {RECORD_EVENT_DATA, number, 0, data, length});
    return;
  }
  uint8_t *to = ring->memory + ring->offset;
  store64(to, compact(RECORD_EVENT_DATA, now, number));
  store64(to + 8, data_header(length));
  if (length > 0) {
    store64(to + 8 + rounded, 0);
    memcpy(to + 16, data, length);
  }
  commit(ring, now, 16 + rounded);
  end_record(ring);
}

/* A call begins or ends.
 *
 * @param event that says so, or 0 if none does */
static inline void call(uint32_t id, uint32_t payload, uint32_t event, uint8_t state) {
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(&(struct record) {id, payload, event, NULL, 0}, __builtin_frame_address(0));
    return;
  }
  uint64_t now = clock_now(ring->tsc);
  if (RARELY(!has_room(ring, now, COMPACT_SIZE))) {
    no_room(ring, &(struct record) {id, payload, event, NULL, 0});
    return;
  }
  store64(ring->memory + ring->offset, compact(id, now, payload));
  commit(ring, now, COMPACT_SIZE);
  end_record(ring);
}

void kymo_enter_event(uint32_t number) {
  uint8_t state = event_state(number);
  if (state != 0) {
    call(RECORD_ENTER, number, number, state);
  }
}

void kymo_leave_event(uint32_t number) {
  uint8_t state = event_state(number);
  uint32_t begin = state == 0 ? 0 : ky_event_begin(number);
  if (begin != 0) {
    call(RECORD_LEAVE, begin, number, state);
  }
}
