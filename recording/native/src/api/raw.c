/* Events whose data the program writes into the ring itself. Between begin and end the thread's ring is busy, so other
 * records of the thread are deferred. The position moves only at the end, so nothing incomplete is ever read. Only a
 * second begin, by the program or by a handler, drops a record that has begun; its room then stays unused, because the
 * program may still write there. */
#include "raw.h"

#include <sys/mman.h>

#include "base/guest.h"
#include "control/consequences.h"
#include "control/join.h"
#include "events/events.h"
#include "record.h"
#include "shared/guarded.h"

static OUT_OF_LINE void *begin_slowly(uint32_t event, uint32_t size, void *frame) {
  struct guard guard;
  uint8_t *data = NULL;
  if (ky_own_work) {
    return NULL;
  }
  if (ky_has_no_ring()) {
    ky_lose_without_ring(ky_process);
    return NULL;
  }
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  struct ring *ring = ky_ring;
  bool mine = process != NULL && ring != NULL && ring->generation == process->generation;
  if (mine && ring->busy != NULL && ring->raw == NULL && ky_is_nested(ring, frame)) {
    ky_ring_lose(ring);
  } else if (process != NULL) {
    if (mine && ring->raw != NULL) {
      ky_ring_abandon(ring);
    }
    ring = ky_own_ring(process);
    if (ring == NULL) {
      ky_lose_without_ring(process);
    } else {
      ring->busy = NULL;
      ky_ring_write_deferred(process, ring);
      data = ky_ring_reserve(process, ring, event, size);
      ring->busy = data == NULL ? NULL : frame;
      ring->raw = data;
    }
  }
  ky_guard_end(&guard);
  return data;
}

void *kymo_record_begin(uint32_t event, size_t size) {
  uint8_t state = event_state(event);
  if (state == 0) {
    return NULL;
  }
  if (RARELY(size > KYMO_MOST_DATA)) {
    ky_refuse(event, size);
    return NULL;
  }
  uint32_t length = (uint32_t) size;
  void *frame = __builtin_frame_address(0);
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    return begin_slowly(event, length, frame);
  }
  uint64_t now = clock_now(ring->tsc);
  if (RARELY(!has_room(ring, now, COMPACT_SIZE + 8 + data_size(length)))) {
    ring->busy = NULL;
    SEEN_BY_HANDLERS();
    if (ky_ring_is_full(ring)) {
      ky_ring_lose(ring);
      return NULL;
    }
    return begin_slowly(event, length, frame);
  }
  uint8_t *data = ky_ring_reserve_here(ring, now, event, length);
  SEEN_BY_HANDLERS();
  ring->raw = data;
  return data;
}

/* Takes a begun record from the ring, so that no handler can drop it; NULL if it is no longer there. */
static struct ring *take(void *data, void *frame) {
  struct ring *ring = ky_ring;
  uint8_t *mine = data;
  if (data == NULL || ring == NULL || ring->raw != mine) {
    return NULL;
  }
  ring->busy = frame;
  bool taken = __atomic_compare_exchange_n(
      &ring->raw, &mine, NULL, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return taken ? ring : NULL; /* if not taken, a handler has just begun another one */
}

/* Ends a record that may be a trigger, or that stores the whole clock: then no handler may leave by a jump. */
static OUT_OF_LINE void end_slowly(struct ring *ring, const void *data, uint32_t size) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  struct consequences consequences = {false, false};
  struct record record = {RECORD_EVENT_DATA, ring->raw_event, 0, data, size};
  if (process != NULL && ky_trigger(process, &record, &consequences)) {
    ky_ring_commit_raw(ring, size);
  }
  if (process != NULL) {
    ky_follow(process, &consequences);
  }
  ky_guard_end(&guard);
}

void kymo_record_end(void *data, size_t size) {
  struct ring *ring = take(data, __builtin_frame_address(0));
  if (ring == NULL) {
    return;
  }
  if (size > ring->raw_size) {
    ky_ring_lose(ring);
  } else if (RARELY((uint32_t) (ring->raw_clock >> 32) != ring->high
                 || event_state(ring->raw_event) == EVENT_MAY_TRIGGER)) {
    end_slowly(ring, data, (uint32_t) size);
  } else {
    ky_ring_commit_raw(ring, (uint32_t) size);
  }
  end_record(ring);
}

void kymo_record_drop(void *data) {
  struct ring *ring = take(data, __builtin_frame_address(0));
  if (ring != NULL) {
    end_record(ring);
  }
}

static uint8_t *written_by_both; /* the memory of a ring that a child must not write */
static size_t written_bytes;

void ky_raw_before_fork(void) {
  const struct ring *ring = ky_ring;
  bool begun = ring != NULL && ring->raw != NULL;
  written_by_both = begun ? ring->memory : NULL;
  written_bytes = begun ? ring_size(ring->sub_buffer_size) : 0;
}

/* The child may continue to fill in its parent's record, so it gets memory of its own there. */
void ky_raw_in_child(void) {
  if (written_by_both != NULL) {
    mmap(written_by_both, written_bytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  }
}
