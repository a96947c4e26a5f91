/* Who is at both ends of a connected socket, in numbers that both ends work out alike: what one end writes and what the
 * other one reads is a stream of bytes, and has a number. Nothing here is recorded; the agent of Java programs uses it,
 * too. */
#ifndef KYMO_PEERS_H
#define KYMO_PEERS_H

#include <stdbool.h>
#include <stdint.h>

enum { PEER_TEXT = 128 };

struct peers {
  uint64_t out; /* number of the stream that this end writes */
  uint64_t in; /* of the one that it reads */
  char local[PEER_TEXT]; /* 127.0.0.1:80, [::1]:80, /path, or unix:NUMBER */
  char remote[PEER_TEXT];
};

/* False if the descriptor is no connected stream socket of TCP or Unix, or if the other end of a Unix socket is not
 * known. Keeps errno. */
bool ky_peers_find(int descriptor, struct peers *peers);

#endif
