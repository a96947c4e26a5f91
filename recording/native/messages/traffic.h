/* What goes through a connection, as events: its bytes, and the names of what they say. */
#ifndef KYMO_TRAFFIC_H
#define KYMO_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Spreads numbers, as Java does (HttpNames, PlainStreams). */
#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

/* What went through a connection so far, in each direction. */
struct traffic {
  uint64_t out; /* the number of the stream that this end writes */
  uint64_t in;
  uint64_t written; /* atomic */
  uint64_t read; /* atomic */
  uint64_t request; /* atomic: of HTTP, that was not answered so far; 0: none */
  bool pipelined; /* atomic: requests do not wait for answers, so it is not known which answer is whose */
};

/* Where the bytes are the connection's. Each layer has events of its own. */
enum layer { SOCKETS, TLS, LAYERS };

/* The first of the bytes of a call, and how many there are. They are looked at after the call, when they are known to
 * be there. */
struct first_bytes {
  const void *bytes; /* or NULL */
  size_t length;
};

#define BYTES(first, size) ((struct first_bytes) {first, size})

/* The time before a call that may write. */
uint64_t ky_traffic_begin(enum layer layer);

/* A call has written bytes, more than 0.
 *
 * @param at the time before it
 */
void ky_traffic_wrote(
    enum layer layer, struct traffic *traffic, uint64_t at, uint64_t bytes, struct first_bytes first);

/* A call has read bytes, more than 0. */
void ky_traffic_read(enum layer layer, struct traffic *traffic, uint64_t bytes, struct first_bytes first);

#endif
