#include "parts.h"

#include <string.h>

#include "api/record.h"
#include "base/peers.h"
#include "kymo.h"

/* Of the subsystem whose other events are the traffic's; its number. */
static uint32_t connected;

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
  kymo_event_data(connected, data, (size_t) 20 + local + remote);
}

/* Finds out what a new connection is connected to. Two threads may do it at once, with the same result. */
static OUT_OF_LINE void find(struct connection *connection, int descriptor) {
  struct peers peers;
  if (ky_peers_find(descriptor, &peers)) {
    connection->traffic.out = peers.out;
    connection->traffic.in = peers.in;
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

uint64_t ky_before_write(struct connection *connection, int descriptor) {
  return is_counted(connection, descriptor) ? ky_traffic_begin(SOCKETS) : 0;
}

void ky_wrote(struct connection *connection, int descriptor, uint64_t at, uint64_t bytes, struct first_bytes first) {
  if (is_counted(connection, descriptor)) {
    ky_traffic_wrote(SOCKETS, &connection->traffic, at, bytes, first);
  } else {
    ky_leave_out(connection);
  }
}

void ky_read_bytes(struct connection *connection, int descriptor, uint64_t bytes, struct first_bytes first) {
  if (is_counted(connection, descriptor)) {
    ky_traffic_read(SOCKETS, &connection->traffic, bytes, first);
  } else {
    ky_leave_out(connection);
  }
}

void ky_leave_out(struct connection *connection) {
  __atomic_store_n(&connection->state, LEFT_OUT, __ATOMIC_RELEASE);
}

/* Runs after libkymo's own constructor, which is in the same library. */
__attribute__((constructor(102))) static void begin(void) {
  connected = (kymo_event_define)("socket", 0, "sockets", "", 0, "connection", KYMO_INSTANT, "",
      "A connection is used for the first time", "u64 out; u64 in; str local; str remote;");
}
