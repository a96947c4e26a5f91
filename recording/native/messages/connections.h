/* The connections of this process: how many bytes went through each, in each direction. Those are counted whose socket
 * this process made or accepted, because only of these the first byte is known. */
#ifndef KYMO_CONNECTIONS_H
#define KYMO_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/guest.h"
#include "traffic.h"

enum connection_state {
  NEW, /* it is not known what it is connected to */
  COUNTED,
  LEFT_OUT, /* no stream, or nobody can know which bytes went through it */
};

/* Its memory may be used for another connection once all its descriptors are closed, and is never freed: a thread that
 * uses a descriptor while another one closes it counts bytes of the wrong one, as it may write into the wrong one. */
struct connection {
  struct connection *next_free; /* under the lock */
  uint32_t descriptors; /* under the lock */
  uint8_t state; /* atomic; release once the streams are there */
  struct traffic traffic; /* its streams are known once the connection is counted */
};

/* Guards what is known of connections, here and of OpenSSL. A fork waits for it, so the child finds it free. */
extern struct lock ky_connections_lock;

enum { DESCRIPTORS_BITS = 8, CHUNKS = 4096 };

extern struct connection **ky_connection_chunks[CHUNKS];

/* The connection of a descriptor; NULL if it has none. */
static inline struct connection *connection_of(int descriptor) {
  uint32_t number = (uint32_t) descriptor;
  if (number >> DESCRIPTORS_BITS >= CHUNKS || ky_stands_aside) {
    return NULL;
  }
  struct connection **chunk = __atomic_load_n(&ky_connection_chunks[number >> DESCRIPTORS_BITS], __ATOMIC_ACQUIRE);
  return chunk == NULL ? NULL : __atomic_load_n(&chunk[number & ((1 << DESCRIPTORS_BITS) - 1)], __ATOMIC_ACQUIRE);
}

/* Whether the process has a virtual machine: its agent records what goes through Java's sockets. */
bool ky_is_java(void);

/* A descriptor is a new socket. */
void ky_connection_begin(int descriptor);

/* A descriptor is another one of the same connection, if there is one. */
void ky_connection_share(int descriptor, int other);

/* A descriptor is about to be closed. */
void ky_connection_end(int descriptor);

/* All descriptors from the first to the last are about to be closed. */
void ky_connections_end(unsigned first, unsigned last);

#endif
