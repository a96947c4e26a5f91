/* The events of what goes through sockets. */
#ifndef KYMO_PARTS_H
#define KYMO_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "connections.h"

#define EXPORTED __attribute__((visibility("default")))

/* The time before a call that may write, when the connection's first use has been recorded. */
uint64_t ky_before_write(struct connection *connection, int descriptor);

/* The first bytes of a call whose bytes are in several places. */
static inline struct first_bytes ky_first_of(const struct iovec *places, size_t count) {
  return count == 0 ? BYTES(NULL, 0) : BYTES(places->iov_base, places->iov_len);
}

/* A call has written bytes, more than 0.
 *
 * @param at the time before it
 */
void ky_wrote(struct connection *connection, int descriptor, uint64_t at, uint64_t bytes, struct first_bytes first);

/* A call has read bytes, more than 0. */
void ky_read_bytes(struct connection *connection, int descriptor, uint64_t bytes, struct first_bytes first);

/* A call has done what shifts positions in a way that the other end may not see. */
void ky_leave_out(struct connection *connection);

#endif
