#include "traffic.h"

#include <string.h>

#include "api/record.h"
#include "calls/functions.h"
#include "events/events.h"
#include "http.h"
#include "kymo.h"

/* As Java defines them (SocketStreams, PlainStreams). */
#define SOCKET "socket", 0, "sockets", ""
#define PLAIN "tls", 0, "sockets", ""
#define PART "u64 stream; u64 position; u32 bytes;"
/* As Java's names do (HttpNames). */
#define HTTP "http", 0, "sockets", ""
#define PLACE "u64 request; u64 stream; u64 position; "

enum { WRITE, READ, ENCRYPT, DECRYPT, REQUEST, ANSWER, NUMBER_OF_EVENTS };
enum { PART_SIZE = 20, PLACE_SIZE = 24 };

static const int WRITES[LAYERS] = {WRITE, ENCRYPT};
static const int READS[LAYERS] = {READ, DECRYPT};

static const uint8_t off;

static struct {
  const uint8_t *state; /* 0: off; otherwise the recording's generation, or UINT8_MAX before it is joined */
  uint32_t number;
} events[NUMBER_OF_EVENTS] = {{&off, 0}, {&off, 0}, {&off, 0}, {&off, 0}, {&off, 0}, {&off, 0}};

static inline uint8_t state_of(int event) {
  return __atomic_load_n(events[event].state, __ATOMIC_RELAXED);
}

/* The recording's clock, once this thread has a ring: without one, a record has the time at which the ring is made. */
static OUT_OF_LINE uint64_t first_ticks(int event) {
  void *place = kymo_record_begin(events[event].number, PART_SIZE);
  kymo_record_drop(place);
  const struct ring *ring = ky_ring;
  return place == NULL || ring == NULL ? 0 : clock_now(ring->tsc);
}

uint64_t ky_traffic_begin(enum layer layer) {
  uint8_t state = state_of(WRITES[layer]);
  const struct ring *ring = ky_ring;
  if (RARELY(ring == NULL || ring->generation != state)) {
    return state == 0 ? 0 : first_ticks(WRITES[layer]);
  }
  return clock_now(ring->tsc);
}

static OUT_OF_LINE void record_slowly(struct ring *ring, int event, uint64_t now, const uint64_t *data, uint32_t size) {
  uint64_t words[2 + (PLACE_SIZE + HTTP_NAME + 7) / 8];
  words[0] = compact(RECORD_EVENT_DATA, now, events[event].number);
  words[1] = data_header(size);
  memcpy(words + 2, data, data_size(size));
  struct record unit = {RECORD_UNIT, events[event].number, now, words, 16 + data_size(size)};
  if (ring != NULL) {
    ky_record_without_room(ring, &unit);
  } else {
    ky_record_slowly(&unit, __builtin_frame_address(0));
  }
}

/* @param at 0: now
 * @param data whole words, of which the last bytes may not count
 */
static inline void record(int event, uint64_t at, const uint64_t *data, uint32_t size) {
  uint8_t state = state_of(event);
  if (state == 0) {
    return;
  }
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    record_slowly(NULL, event, at, data, size);
    return;
  }
  uint64_t now = at == 0 ? clock_now(ring->tsc) : at < ring->last ? ring->last : at;
  if (RARELY(!has_room(ring, now, 16 + data_size(size)))) {
    record_slowly(ring, event, now, data, size);
    return;
  }
  uint8_t *to = ring->memory + ring->offset;
  store64_relaxed(to, compact(RECORD_EVENT_DATA, now, events[event].number));
  store64_relaxed(to + 8, data_header(size));
  for (uint32_t i = 0; i < data_size(size) / 8; i++) {
    store64_relaxed(to + 16 + 8 * i, data[i]);
  }
  commit(ring, now, 16 + data_size(size));
  end_record(ring);
}

static inline void record_part(int event, uint64_t at, uint64_t stream, uint64_t position, uint64_t bytes) {
  const uint64_t part[] = {stream, position, bytes};
  record(event, at, part, PART_SIZE);
}

static OUT_OF_LINE void record_name(
    const struct http_line *line, uint64_t at, uint64_t request, uint64_t stream, uint64_t position) {
  uint64_t data[(PLACE_SIZE + HTTP_NAME + 7) / 8] = {request, stream, position};
  if (line->method == 0) {
    data[3] = line->status;
    record(ANSWER, at, data, PLACE_SIZE + 2);
  } else {
    record(REQUEST, at, data, PLACE_SIZE + (uint32_t) ky_http_put(line, (uint8_t *) (data + 3)));
  }
}

static inline bool may_have_name(const void *first, size_t length) {
  return first != NULL && length >= HTTP_SHORTEST && http_may_begin(first) &&
      (state_of(REQUEST) | state_of(ANSWER)) != 0;
}

/* The number of the request that a line is, or answers; 0 if that is not known. It is made of the place, so both ends
 * have the same one. */
static OUT_OF_LINE uint64_t request_of(
    struct traffic *traffic, const struct http_line *line, uint64_t stream, uint64_t position) {
  uint64_t pending = __atomic_load_n(&traffic->request, __ATOMIC_ACQUIRE);
  bool pipelined = __atomic_load_n(&traffic->pipelined, __ATOMIC_ACQUIRE);
  uint64_t request = pipelined ? 0 : pending;
  if (line->method != 0) {
    request = stream + (position + 1) * GOLDEN;
    pipelined |= pending != 0;
    __atomic_store_n(&traffic->request, request, __ATOMIC_RELEASE);
  } else if (http_is_final(line)) {
    __atomic_store_n(&traffic->request, 0, __ATOMIC_RELEASE);
  }
  if (pipelined || line->more) {
    __atomic_store_n(&traffic->pipelined, true, __ATOMIC_RELEASE);
  }
  return request;
}

/* The name of what bytes begin with, if they have one. */
static inline void tell_name(struct traffic *traffic, uint64_t at, uint64_t stream, uint64_t position,
    uint64_t bytes, struct first_bytes first) {
  size_t length = bytes < first.length ? (size_t) bytes : first.length;
  if (RARELY(may_have_name(first.bytes, length))) {
    struct http_line line = ky_http_line(first.bytes, length);
    if (line.bytes != NULL) {
      record_name(&line, at, request_of(traffic, &line, stream, position), stream, position);
    }
  }
}

void ky_traffic_wrote(
    enum layer layer, struct traffic *traffic, uint64_t at, uint64_t bytes, struct first_bytes first) {
  uint64_t position = __atomic_fetch_add(&traffic->written, bytes, __ATOMIC_RELAXED);
  tell_name(traffic, at, traffic->out, position, bytes, first);
  record_part(WRITES[layer], at, traffic->out, position, bytes);
}

void ky_traffic_read(enum layer layer, struct traffic *traffic, uint64_t bytes, struct first_bytes first) {
  uint64_t position = __atomic_fetch_add(&traffic->read, bytes, __ATOMIC_RELAXED);
  record_part(READS[layer], 0, traffic->in, position, bytes);
  tell_name(traffic, 0, traffic->in, position, bytes, first);
}

static void show(int event, uint32_t number) {
  if (number != 0) {
    events[event].number = number;
    __atomic_store_n(&events[event].state, kymo_event_states_ + (MAX_PAYLOAD - number), __ATOMIC_RELEASE);
  }
}

#define DEFINE(event, subsystem, index, name, kind, what, fields) \
  show(event, (kymo_event_define)(subsystem, index, name, kind, "", what, fields))

/* Runs after libkymo's own constructor, which is in the same library. */
__attribute__((constructor(102))) static void begin(void) {
  DEFINE(WRITE, SOCKET, 1, "write", KYMO_SEND, "Bytes were written into a connection", PART);
  DEFINE(READ, SOCKET, 2, "read", KYMO_RECEIVE, "Bytes were read from a connection", PART);
  DEFINE(ENCRYPT, PLAIN, 0, "write", KYMO_SEND, "Bytes are to be encrypted", PART);
  DEFINE(DECRYPT, PLAIN, 1, "read", KYMO_RECEIVE, "Bytes were decrypted", PART);
  DEFINE(REQUEST, HTTP, 0, "request", KYMO_INSTANT, "A request was written or read", PLACE "str method; str path;");
  DEFINE(ANSWER, HTTP, 1, "answer", KYMO_INSTANT, "An answer was written or read", PLACE "u16 status;");
}
