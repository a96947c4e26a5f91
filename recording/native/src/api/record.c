/* The functions that record user events, and the slow path. */
#include "record.h"

#include <string.h>

#include "base/guest.h"
#include "control/consequences.h"
#include "control/join.h"
#include "events/events.h"
#include "shared/guarded.h"

/* Counts a record of a thread without a ring as lost, without a system call; false if there may be more to do. */
static bool lose_at_once(const struct record *record) {
  if (!ky_has_no_ring()) {
    return false;
  }
  uint8_t state = ky_state_of(record);
  if (state != 0 && state != EVENT_MAY_TRIGGER) {
    ky_lose_without_ring(ky_process);
  }
  return state != EVENT_MAY_TRIGGER;
}

OUT_OF_LINE void ky_record_slowly(const struct record *record, const void *frame) {
  struct guard guard;
  if (ky_own_work || lose_at_once(record)) {
    return;
  }
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  struct consequences consequences = {false, false};
  if (process != NULL && ky_trigger(process, record, &consequences)) {
    ky_record_guarded(process, record, frame);
  }
  if (process != NULL) {
    ky_follow(process, &consequences);
  }
  ky_guard_end(&guard);
}

OUT_OF_LINE void ky_record_deferred(struct ring *ring) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  if (process != NULL && ring->generation == process->generation && ring->busy == NULL) {
    ky_ring_write_deferred(process, ring);
  }
  ky_guard_end(&guard);
}

OUT_OF_LINE void ky_record_without_room(struct ring *ring, const struct record *record) {
  ring->busy = NULL;
  SEEN_BY_HANDLERS();
  if (ky_ring_is_full(ring)) {
    ky_ring_lose_record(ring, record); /* without system calls */
  } else {
    ky_record_slowly(record, __builtin_frame_address(0));
  }
}

static OUT_OF_LINE void slowly(uint32_t id, uint32_t payload, uint64_t argument, const void *frame) {
  ky_record_slowly(&(struct record) {id, payload, argument, NULL, 0}, frame);
}

void kymo_event(uint32_t number, uint64_t argument) {
  uint8_t state = event_state(number);
  if (state == 0) {
    return;
  }
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(RECORD_EVENT, number, argument, __builtin_frame_address(0));
  } else if (RARELY(!ring->tsc)) {
    ky_write_monotonic_event(ring, number, argument);
  } else if (RARELY(!write_words(ring, true, compact(RECORD_EVENT, 0, number), &argument))) {
    ky_event_without_room(ring, number, argument);
  }
}

OUT_OF_LINE void ky_call_without_room(struct ring *ring, uint32_t id, uint32_t payload, uint32_t event) {
  ky_record_without_room(ring, &(struct record) {id, payload, event, NULL, 0});
}

OUT_OF_LINE void ky_event_without_room(struct ring *ring, uint32_t event, uint64_t argument) {
  ky_record_without_room(ring, &(struct record) {RECORD_EVENT, event, argument, NULL, 0});
}

void ky_write_monotonic_call(struct ring *ring, uint32_t id, uint32_t payload, uint32_t event) {
  if (RARELY(!write_words(ring, false, compact(id, 0, payload), NULL))) {
    ky_call_without_room(ring, id, payload, event);
  }
}

void ky_write_monotonic_event(struct ring *ring, uint32_t event, uint64_t argument) {
  if (RARELY(!write_words(ring, false, compact(RECORD_EVENT, 0, event), &argument))) {
    ky_event_without_room(ring, event, argument);
  }
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
    ky_record_slowly(&(struct record) {RECORD_EVENT_DATA, number, 0, data, length}, __builtin_frame_address(0));
    return;
  }
  uint64_t now = clock_now(ring->tsc);
  uint32_t rounded = data_size(length);
  if (RARELY(!has_room(ring, now, 16 + rounded))) {
    ky_record_without_room(ring, &(struct record) {RECORD_EVENT_DATA, number, 0, data, length});
    return;
  }
  uint8_t *to = ring->memory + ring->offset;
  store64_relaxed(to, compact(RECORD_EVENT_DATA, now, number));
  store64_relaxed(to + 8, data_header(length));
  if (length > 0) {
    store64_relaxed(to + 8 + rounded, 0);
    memcpy(to + 16, data, length);
  }
  commit(ring, now, 16 + rounded);
  end_record(ring);
}

/* Records the begin or end of a call.
 *
 * @param event that reports it */
static inline void call(uint32_t id, uint32_t payload, uint32_t event, uint8_t state) {
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(id, payload, event, __builtin_frame_address(0));
    return;
  }
  write_call(ring, id, payload, event);
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
