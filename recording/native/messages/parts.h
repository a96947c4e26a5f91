/* The events of what goes through sockets. */
#ifndef KYMO_PARTS_H
#define KYMO_PARTS_H

#include <stdint.h>

#include "connections.h"

#define EXPORTED __attribute__((visibility("default")))

/* The time before a call that may write, when the connection's first use has been recorded. */
uint64_t ky_before_write(struct connection *connection, int descriptor);

/* A call has written bytes, more than 0.
 *
 * @param at the time before it */
void ky_wrote(struct connection *connection, int descriptor, uint64_t at, uint64_t bytes);

/* A call has read bytes, more than 0. */
void ky_read_bytes(struct connection *connection, int descriptor, uint64_t bytes);

/* A call has done what shifts positions in a way that the other end may not see. */
void ky_leave_out(struct connection *connection);

#endif
