#include "parts.h"

#include <string.h>

#include "api/record.h"
#include "base/peers.h"
#include "calls/functions.h"
#include "events/events.h"
#include "kymo.h"

/* As Java's sockets define them (SocketStreams). */
#define SUBSYSTEM "socket", 0, "sockets", ""
#define PART "u64 stream; u64 position; u32 bytes;"

enum { CONNECTION, WRITE, READ, NUMBER_OF_EVENTS };
enum { PART_SIZE = 20 };

static const uint8_t off;

static struct {
  const uint8_t *state; /* 0: off; otherwise the recording's generation, or UINT8_MAX before it is joined */
  uint32_t number;
} events[NUMBER_OF_EVENTS] = {{&off, 0}, {&off, 0}, {&off, 0}};

static inline uint8_t state_of(int event) {
  return __atomic_load_n(events[event].state, __ATOMIC_RELAXED);
}

static void tell_connection(const struct peers *peers) {
  uint8_t data[2 * 8 + 2 * (2 + PEER_TEXT)];
  uint16_t local = (uint16_t) strlen(peers->local);
  uint16_t remote = (uint16_t) strlen(peers->remote);
  memcpy(data, &peers->out, 8);
  memcpy(data + 8, &peers->in, 8);
  memcpy(data + 16, &local, 2);
  memcpy(data + 18, peers->local, local);
  memcpy(data + 18 + local, &remote, 2);
  memcpy(data + 20 + local, peers->remote, remote);
  kymo_event_data(events[CONNECTION].number, data, (size_t) 20 + local + remote);
}

/* Finds out what a new connection is connected to. Two threads may do it at once, with the same result. */
static OUT_OF_LINE void find(struct connection *connection, int descriptor) {
  struct peers peers;
  if (ky_peers_find(descriptor, &peers)) {
    connection->out = peers.out;
    connection->in = peers.in;
    uint8_t before = __atomic_exchange_n(&connection->state, COUNTED, __ATOMIC_ACQ_REL);
    if (before == NEW) {
      tell_connection(&peers);
    }
  }
}

static inline bool is_counted(struct connection *connection, int descriptor) {
  uint8_t state = __atomic_load_n(&connection->state, __ATOMIC_ACQUIRE);
  if (RARELY(state == NEW)) {
    find(connection, descriptor);
    state = __atomic_load_n(&connection->state, __ATOMIC_ACQUIRE);
  }
  return state == COUNTED;
}

/* The recording's clock, once this thread has a ring: without one, a record has the time at which the ring is made. */
static OUT_OF_LINE uint64_t first_ticks(void) {
  void *place = kymo_record_begin(events[WRITE].number, PART_SIZE);
  kymo_record_drop(place);
  const struct ring *ring = ky_ring;
  return place == NULL || ring == NULL ? 0 : clock_now(ring->tsc);
}

uint64_t ky_before_write(struct connection *connection, int descriptor) {
  if (!is_counted(connection, descriptor)) {
    return 0;
  }
  uint8_t state = state_of(WRITE);
  const struct ring *ring = ky_ring;
  if (RARELY(ring == NULL || ring->generation != state)) {
    return state == 0 ? 0 : first_ticks();
  }
  return clock_now(ring->tsc);
}

static OUT_OF_LINE void record_slowly(struct ring *ring, int event, uint64_t now, const uint64_t *part) {
  const uint64_t words[] = {
      compact(RECORD_EVENT_DATA, now, events[event].number), data_header(PART_SIZE), part[0], part[1], part[2]};
  struct record unit = {RECORD_UNIT, events[event].number, now, words, 16 + data_size(PART_SIZE)};
  if (ring != NULL) {
    ky_record_without_room(ring, &unit);
  } else {
    ky_record_slowly(&unit, __builtin_frame_address(0));
  }
}

/* @param at 0: now */
static void record_part(int event, uint64_t at, uint64_t stream, uint64_t position, uint64_t bytes) {
  uint8_t state = state_of(event);
  if (state == 0) {
    return;
  }
  const uint64_t part[] = {stream, position, bytes};
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    record_slowly(NULL, event, at, part);
    return;
  }
  uint64_t now = at == 0 ? clock_now(ring->tsc) : at < ring->last ? ring->last : at;
  if (RARELY(!has_room(ring, now, 16 + data_size(PART_SIZE)))) {
    record_slowly(ring, event, now, part);
    return;
  }
  uint8_t *to = ring->memory + ring->offset;
  store64_relaxed(to, compact(RECORD_EVENT_DATA, now, events[event].number));
  store64_relaxed(to + 8, data_header(PART_SIZE));
  store64_relaxed(to + 16, stream);
  store64_relaxed(to + 24, position);
  store64_relaxed(to + 32, bytes);
  commit(ring, now, 16 + data_size(PART_SIZE));
  end_record(ring);
}

void ky_wrote(struct connection *connection, int descriptor, uint64_t at, uint64_t bytes) {
  if (is_counted(connection, descriptor)) {
    uint64_t position = __atomic_fetch_add(&connection->written, bytes, __ATOMIC_RELAXED);
    record_part(WRITE, at, connection->out, position, bytes);
  } else {
    ky_leave_out(connection);
  }
}

void ky_read_bytes(struct connection *connection, int descriptor, uint64_t bytes) {
  if (is_counted(connection, descriptor)) {
    uint64_t position = __atomic_fetch_add(&connection->read, bytes, __ATOMIC_RELAXED);
    record_part(READ, 0, connection->in, position, bytes);
  } else {
    ky_leave_out(connection);
  }
}

void ky_leave_out(struct connection *connection) {
  __atomic_store_n(&connection->state, LEFT_OUT, __ATOMIC_RELEASE);
}

static void define(int event, const char *name, int kind, const char *what, const char *fields) {
  uint32_t number = (kymo_event_define)(SUBSYSTEM, (uint16_t) event, name, kind, "", what, fields);
  if (number != 0) {
    events[event].number = number;
    __atomic_store_n(&events[event].state, kymo_event_states_ + (MAX_PAYLOAD - number), __ATOMIC_RELEASE);
  }
}

/* Runs after libkymo's own constructor, which is in the same library. */
__attribute__((constructor(102))) static void begin(void) {
  define(CONNECTION, "connection", KYMO_INSTANT, "A connection is used for the first time",
      "u64 out; u64 in; str local; str remote;");
  define(WRITE, "write", KYMO_SEND, "Bytes were written into a connection", PART);
  define(READ, "read", KYMO_RECEIVE, "Bytes were read from a connection", PART);
}
