#include "ring.h"

#include <string.h>
#include <time.h>

#include "base/guest.h"
#include "base/packet.h"
#include "recorder.h"
#include "shortage.h"

/* A deferred record, followed by its data. */
struct deferred {
  uint32_t size; /* with data; stored last: 0 if its handler was left by a jump */
  uint32_t id;
  uint32_t payload;
  uint32_t length;
  uint64_t clock;
  uint64_t argument;
};

_Static_assert(sizeof(struct ring) <= PAGE, "a ring's private part is a page");

static struct ring_shape shape_of(const struct process *process, const struct ring *ring) {
  return (struct ring_shape) {process->session->uuid, STREAM_THREADS, process->number, ring->number,
      ring->sub_buffer_size, RING_SUB_BUFFER_COUNT, ring->when_full};
}

/* Nothing is read back from the shared memory, where other processes may write. */
void ky_ring_init(struct ring *ring, uint8_t *memory, uint32_t sub_buffer_size, const struct process *process) {
  ring->memory = memory;
  ring->sub_buffer_size = sub_buffer_size;
  ring->when_full = process->session->when_full;
  ring->generation = process->generation;
  ring->tsc = process->session->tsc;
  struct ring_shape shape = shape_of(process, ring);
  packet_lay(memory + RING_HEADER_SIZE, &shape);
  ring->there[0] = RING_FIRST - RING_HEADER_SIZE;
  ring_lay(memory, &shape);
}

static uint32_t slot(const struct ring *ring) {
  return RING_HEADER_SIZE + (uint32_t) (ring->packet % RING_SUB_BUFFER_COUNT) * ring->sub_buffer_size;
}

static uint32_t *there(struct ring *ring) {
  return &ring->there[ring->packet % RING_SUB_BUFFER_COUNT];
}

/* Ensures that `bytes` bytes of the packet's sub-buffer, and a word after them, have memory; false if there is no
 * memory. Only the first sub-buffer grows step by step: many threads never fill it. */
static bool take_memory(struct process *process, struct ring *ring, uint32_t bytes) {
  uint32_t has = *there(ring);
  uint32_t most = ring->sub_buffer_size;
  if (bytes + COMPACT_SIZE <= has) {
    return true;
  }
  if (bytes + COMPACT_SIZE > most || ky_nanos(CLOCK_MONOTONIC) < process->no_rings_until) {
    return false;
  }
  uint32_t wanted = ring->packet > 0 ? most : 2 * has;
  while (wanted < bytes + COMPACT_SIZE) {
    wanted += PAGE;
  }
  wanted = wanted < most ? wanted : most;
  uint8_t *at = ring->memory + slot(ring);
  if (!ky_take_pages(at + has, wanted - has)) {
    ky_say_no_ring(process, wanted - has);
    return false;
  }
  if (has == 0) {
    struct ring_shape shape = shape_of(process, ring);
    packet_lay(at, &shape);
  }
  *there(ring) = wanted;
  return true;
}

/* Ensures that the open packet has memory for `needed` more bytes. */
static bool grow(struct process *process, struct ring *ring, uint32_t needed) {
  uint32_t at = slot(ring);
  if (!take_memory(process, ring, ring->offset - at + needed)) {
    return false;
  }
  ring->limit = at + *there(ring) - COMPACT_SIZE; /* never full: see RingLayout */
  return true;
}

static bool next_is_free(const struct ring *ring) {
  return ring->when_full == WHEN_FULL_OVERWRITE
      || ring->packet - ring_taken_acquire(ring->memory) < RING_SUB_BUFFER_COUNT;
}

/* Whether the next packet is without memory, for which nobody asks within a second after it was refused. */
static bool lacks_memory(const struct ring *ring) {
  const struct process *process = ky_process;
  return next_is_free(ring) && ring->there[ring->packet % RING_SUB_BUFFER_COUNT] == 0
      && ky_nanos(CLOCK_MONOTONIC_COARSE) < process->no_rings_until;
}

bool ky_ring_is_full(const struct ring *ring) {
  bool full = ring->when_full == WHEN_FULL_DISCARD && !next_is_free(ring);
  return !ring->open && (full || lacks_memory(ring));
}

static void lose(struct ring *ring, uint64_t count) {
  uint64_t lost = __atomic_add_fetch(&ring->lost, count, __ATOMIC_RELAXED);
  ring_lost_release(ring->memory, lost);
}

void ky_ring_lose(struct ring *ring) {
  lose(ring, 1);
}

static void commit(struct ring *ring, uint32_t size) {
  ring->offset += size;
  ring->extra += size / COMPACT_SIZE - 1;
  ring_position_release(ring->memory, ring->base + ring->offset);
}

/* Stores a record's word; returns its size in bytes. */
static uint32_t word(struct ring *ring, uint32_t id, uint64_t now, uint32_t payload) {
  uint8_t *to = ring->memory + ring->offset;
  ring->last = now;
  if ((uint32_t) (now >> 32) == ring->high) {
    store64_relaxed(to, compact(id, now, payload));
    return COMPACT_SIZE;
  }
  ring->high = (uint32_t) (now >> 32);
  store64_relaxed(to, extended_first(id, now));
  store64_relaxed(to + 8, extended_second(now, payload));
  return EXTENDED_SIZE;
}

static uint32_t after_word(const struct record *record) {
  return record->id == RECORD_EVENT ? 8
      : record->id == RECORD_EVENT_DATA ? 8 + data_size(record->length)
      : record->id == RECORD_UNIT       ? record->length - COMPACT_SIZE
                                        : 0;
}

uint32_t ky_words_of(const uint64_t *word) {
  switch (*word & 255) {
    case RECORD_DETAIL:
    case RECORD_EVENT: return 2;
    case RECORD_EVENT_DATA: return 2 + (uint32_t) (word[1] >> 35);
    default: return 1;
  }
}

/* How many records of a unit are events; switches and details are not. */
static uint32_t events_of(const struct record *unit) {
  const uint64_t *word = unit->data;
  uint32_t events = 0;
  for (uint32_t at = 0; at < unit->length / 8; at += ky_words_of(word + at)) {
    uint32_t id = (uint32_t) word[at] & 255;
    events += id != RECORD_SWITCH && id != RECORD_DETAIL;
  }
  return events;
}

void ky_unit_copy(uint64_t *to, const uint64_t *words, uint32_t count, uint64_t now) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool begins = i == next;
    next = begins ? i + ky_words_of(words + i) : next;
    store64_relaxed((uint8_t *) (to + i),
        begins ? compact((uint32_t) words[i] & 255, now, (uint32_t) (words[i] >> 40)) : words[i]);
  }
}

static void put_unit(struct ring *ring, const struct record *unit, uint64_t now) {
  const uint64_t *from = unit->data;
  uint32_t size = word(ring, (uint32_t) from[0] & 255, now, (uint32_t) (from[0] >> 40));
  uint8_t *to = ring->memory + ring->offset + size - COMPACT_SIZE;
  uint32_t first = ky_words_of(from);
  for (uint32_t i = 1; i < first; i++) {
    store64_relaxed(to + i * 8, from[i]);
  }
  ky_unit_copy((uint64_t *) (void *) to + first, from + first, unit->length / 8 - first, now);
  ring->extra -= events_of(unit) - 1;
  commit(ring, size + unit->length - COMPACT_SIZE);
}

static void put(struct ring *ring, const struct record *record, uint64_t now) {
  if (record->id == RECORD_UNIT) {
    put_unit(ring, record, now);
    return;
  }
  uint32_t size = word(ring, record->id, now, record->payload);
  uint8_t *to = ring->memory + ring->offset + size;
  if (record->id == RECORD_EVENT) {
    store64_relaxed(to, record->argument);
  } else if (record->id == RECORD_EVENT_DATA) {
    store64_relaxed(to, data_header(record->length));
    if (record->length > 0) {
      store64_relaxed(to + data_size(record->length), 0);
      memcpy(to + 8, record->data, record->length);
    }
  }
  commit(ring, size + after_word(record));
}

static void close_packet(struct ring *ring, uint64_t now) {
  uint32_t at = slot(ring);
  uint32_t size = ring->offset - at;
  packet_close(ring->memory + at, now, size);
  ring->records[ring->packet % RING_SUB_BUFFER_COUNT] =
      (size - PACKET_HEADER_SIZE) / COMPACT_SIZE - ring->extra;
  ring->open = false;
  ring->offset = 0;
  ring->limit = 0;
  ring->packet++;
  ring_position_release(ring->memory, ring->packet * ring->sub_buffer_size);
}

static void open_packet(struct ring *ring, uint64_t now) {
  if (ring->when_full == WHEN_FULL_OVERWRITE && ring->packet >= RING_SUB_BUFFER_COUNT) {
    lose(ring, ring->records[ring->packet % RING_SUB_BUFFER_COUNT]);
  }
  uint32_t at = slot(ring);
  packet_begin(ring->memory + at, now, ring->lost, ring->packet, ring->running);
  ring->announced = ring->running;
  ring->high = (uint32_t) (now >> 32);
  ring->last = now;
  ring->extra = 0;
  ring->base = ring->packet * ring->sub_buffer_size - at;
  ring->limit = at + *there(ring) - COMPACT_SIZE;
  ring->offset = at + PACKET_HEADER_SIZE;
  ring->open = true;
  ring_position_release(ring->memory, ring->base + ring->offset);
}

static void announce(struct ring *ring, uint64_t now) {
  if (ring->announced != ring->running) {
    commit(ring, word(ring, RECORD_SWITCH, now, ring->running));
    ring->announced = ring->running;
  }
}

void ky_ring_switch(struct process *process, struct ring *ring, uint32_t running, uint64_t now) {
  if (ring->raw != NULL) {
    ky_ring_abandon(ring);
  }
  ring->running = running;
  if (ring->open && grow(process, ring, EXTENDED_SIZE)) {
    announce(ring, now);
  } else if (ring->open) {
    close_packet(ring, now); /* the next packet's header says it */
  }
}

/* Whether the taken position is one that the recorder cannot have stored: then the program has overwritten it, and
 * waiting for the recorder would never end. */
static bool is_wild(const struct ring *ring) {
  return ring->packet - ring_taken_acquire(ring->memory) > RING_SUB_BUFFER_COUNT;
}

static bool await_room(struct process *process, const struct ring *ring) {
  while (!next_is_free(ring)) {
    /* If the program has overwritten it, the recorder finds out only now. */
    ring_position_release(ring->memory, ring->packet * ring->sub_buffer_size);
    if (is_wild(ring) || ring->when_full != WHEN_FULL_BLOCK || !ky_await_recorder(process)) {
      return false;
    }
  }
  return true;
}

void ky_ring_lose_record(struct ring *ring, const struct record *record) {
  lose(ring, record->id == RECORD_UNIT ? events_of(record) : 1);
}

/* Makes room for a record with `after_word` bytes after its word; false if the record is lost. If it had to wait for
 * room, its time becomes the time after the wait, unless `keep_time`: the end of a call must not make the call last
 * as long as the wait. */
static bool make_room(struct process *process, struct ring *ring, uint32_t after_word,
    bool keep_time, uint64_t *now) {
  uint32_t needed = EXTENDED_SIZE + COMPACT_SIZE + after_word;
  if (needed + PACKET_HEADER_SIZE + COMPACT_SIZE > ring->sub_buffer_size) {
    return false;
  }
  if (!ring->open || !grow(process, ring, needed)) {
    if (ring->open) {
      close_packet(ring, *now);
      process->packet_closed(process, ring, *now);
    }
    bool waited = !next_is_free(ring);
    if (waited && !await_room(process, ring)) {
      return false;
    }
    if (waited && !keep_time) {
      *now = ky_clock(process);
    }
    if (!take_memory(process, ring, PACKET_HEADER_SIZE + needed)) {
      return false;
    }
    open_packet(ring, *now);
  }
  announce(ring, *now);
  return true;
}

static void record_at(
    struct process *process, struct ring *ring, const struct record *record, uint64_t clock) {
  uint64_t now = clock;
  bool ends = record->id == RECORD_LEAVE || record->id == RECORD_UNWIND || record->id == RECORD_UNIT;
  if (make_room(process, ring, after_word(record), ends, &now)) {
    put(ring, record, now);
  } else {
    ky_ring_lose_record(ring, record);
  }
}

void ky_ring_record(struct process *process, struct ring *ring, const struct record *record) {
  uint64_t now = record->id == RECORD_UNIT && record->argument != 0 ? record->argument : ky_clock(process);
  record_at(process, ring, record, now < ring->last ? ring->last : now);
}

uint8_t *ky_ring_reserve_here(struct ring *ring, uint64_t now, uint32_t event, uint32_t size) {
  ring->raw_clock = now;
  ring->raw_event = event;
  ring->raw_size = size;
  uint32_t word = (uint32_t) (now >> 32) == ring->high ? COMPACT_SIZE : EXTENDED_SIZE;
  return ring->memory + ring->offset + word + 8;
}

uint8_t *ky_ring_reserve(
    struct process *process, struct ring *ring, uint32_t event, uint32_t size) {
  uint64_t now = ky_clock(process);
  if (!make_room(process, ring, 8 + data_size(size), false, &now)) {
    ky_ring_lose(ring);
    return NULL;
  }
  return ky_ring_reserve_here(ring, now, event, size);
}

void ky_ring_commit_raw(struct ring *ring, uint32_t size) {
  uint32_t bytes = word(ring, RECORD_EVENT_DATA, ring->raw_clock, ring->raw_event);
  uint8_t *to = ring->memory + ring->offset + bytes;
  store64_relaxed(to, data_header(size));
  memset(to + 8 + size, 0, data_size(size) - size);
  commit(ring, bytes + 8 + data_size(size));
}

void ky_ring_abandon(struct ring *ring) {
  ring->raw = NULL;
  ring->busy = NULL;
  ky_ring_lose(ring);
  if (ring->offset == slot(ring) + PACKET_HEADER_SIZE) { /* readers have no use for an empty packet */
    commit(ring, word(ring, RECORD_SWITCH, ring->last, ring->running)); /* where the record's own word was */
  }
  close_packet(ring, ring->last);
}

/* Reserves room among the deferred records; handlers that interrupt this one end before it continues. */
static struct deferred *room(struct ring *ring, uint32_t size) {
  uint32_t at = ring->deferred;
  do {
    if (size > DEFERRED_BYTES || at > DEFERRED_BYTES - size) {
      return NULL;
    }
  } while (!__atomic_compare_exchange_n(
      &ring->deferred, &at, at + size, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return (struct deferred *) (void *) (ring->deferred_records + at);
}

void ky_ring_defer(const struct process *process, struct ring *ring, const struct record *record) {
  uint32_t length = record->id == RECORD_EVENT_DATA || record->id == RECORD_UNIT ? record->length : 0;
  uint32_t size = (uint32_t) sizeof(struct deferred) + data_size(length);
  struct deferred *kept = room(ring, size);
  if (kept == NULL) {
    ky_ring_lose_record(ring, record);
    return;
  }
  kept->id = record->id;
  kept->payload = record->payload;
  kept->argument = record->argument;
  kept->length = length;
  kept->clock = ky_clock(process);
  if (length > 0) {
    memcpy(kept + 1, record->data, length);
  }
  __atomic_store_n(&kept->size, size, __ATOMIC_RELAXED);
}

void ky_ring_write_deferred(struct process *process, struct ring *ring) {
  uint32_t at = 0;
  while (at < ring->deferred) {
    const struct deferred *kept = (const struct deferred *) (void *) (ring->deferred_records + at);
    if (kept->size == 0) { /* its handler was left by a jump */
      ky_ring_lose(ring);
      break;
    }
    struct record record = {kept->id, kept->payload, kept->argument, kept + 1, kept->length};
    uint64_t clock = kept->clock < ring->last ? ring->last : kept->clock;
    record_at(process, ring, &record, clock);
    at += kept->size;
  }
  memset(ring->deferred_records, 0, ring->deferred);
  ring->deferred = 0;
}
