/* What goes through OpenSSL before it is encrypted, and after it was decrypted. */
#include <string.h>

#include "base/guest.h"
#include "connections.h"
#include "libssl.h"
#include "parts.h"

enum { RANDOM = 32, SPREAD = 29, OLDEST = 0x0301 /* TLS 1.0 */, NEWEST = 0x0304 };

/* What is kept with a connection. */
struct kept {
  struct kept *next_free; /* under the lock */
  struct traffic traffic;
};

static struct kept *unused; /* under the lock */

/* Of connections that are left out: of datagrams, of which some get lost, and in a virtual machine. */
static struct kept left_out;

static uint64_t number(const uint8_t *random, uint64_t begin) {
  uint64_t number = begin;
  for (int i = 0; i < RANDOM; i++) {
    number = (number ^ (uint64_t) (int8_t) random[i]) * GOLDEN;
    number ^= number >> SPREAD;
  }
  return number;
}

static struct kept *allocate(void) {
  struct guard guard;
  ky_guard_begin(&guard);
  ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
  struct kept *kept = unused;
  if (kept != NULL) {
    unused = kept->next_free;
    *kept = (struct kept) {0};
  }
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
  if (kept == NULL) {
    kept = ky_allocate(sizeof *kept);
  }
  ky_guard_end(&guard);
  return kept;
}

void ky_ssl_freed(void *parent, void *pointer, void *all, int index, long zero, void *argument) {
  (void) parent, (void) all, (void) index, (void) zero, (void) argument;
  struct kept *kept = pointer;
  if (kept == NULL || kept == &left_out) {
    return;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
  kept->next_free = unused;
  unused = kept;
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
  ky_guard_end(&guard);
}

/* Both ends of a connection have the same numbers: they are made of what client and server told each other openly, and
 * by chance, when they began. */
static struct kept *begin(const struct libssl *library, const SSL *ssl) {
  uint8_t client[RANDOM];
  uint8_t server[RANDOM];
  int version = library->SSL_version(ssl);
  if (version < OLDEST || version > NEWEST || ky_is_java() ||
      library->SSL_get_client_random(ssl, client, RANDOM) != RANDOM ||
      library->SSL_get_server_random(ssl, server, RANDOM) != RANDOM) {
    return &left_out;
  }
  struct kept *kept = allocate();
  if (kept == NULL) {
    return &left_out;
  }
  uint64_t asked = number(client, number(server, 1));
  uint64_t answered = number(client, number(server, 2));
  bool serves = library->SSL_is_server(ssl) != 0;
  kept->traffic.out = serves ? answered : asked;
  kept->traffic.in = serves ? asked : answered;
  return kept;
}

/* What went through a connection, of which the first bytes have just gone through if nothing is kept so far. NULL if it
 * is left out. */
static struct traffic *traffic_of(const struct libssl *library, SSL *ssl) {
  if (library->index < 0) {
    return NULL;
  }
  struct kept *kept = library->SSL_get_ex_data(ssl, library->index);
  if (kept == NULL) {
    kept = begin(library, ssl);
    if (library->SSL_set_ex_data(ssl, library->index, kept) == 0) {
      ky_ssl_freed(NULL, kept, NULL, 0, 0, NULL);
      return NULL;
    }
  }
  return kept == &left_out ? NULL : &kept->traffic;
}

static void wrote(const struct libssl *library, SSL *ssl, uint64_t at, uint64_t bytes, const void *from) {
  struct traffic *traffic = traffic_of(library, ssl);
  if (traffic != NULL) {
    ky_traffic_wrote(TLS, traffic, at, bytes, BYTES(from, (size_t) bytes));
  }
}

static void has_read(const struct libssl *library, SSL *ssl, uint64_t bytes, const void *to) {
  struct traffic *traffic = traffic_of(library, ssl);
  if (traffic != NULL) {
    ky_traffic_read(TLS, traffic, bytes, BYTES(to, (size_t) bytes));
  }
}

/* Begins each wrapper. */
#define FIND_LIBRARY(name, failed) \
  const struct libssl *library = ky_libssl(__builtin_return_address(0)); \
  if (library == NULL || library->name == NULL) { \
    return failed; \
  }

EXPORTED int SSL_read(SSL *ssl, void *to, int size) {
  FIND_LIBRARY(SSL_read, -1);
  int bytes = library->SSL_read(ssl, to, size);
  if (bytes > 0) {
    has_read(library, ssl, (uint64_t) bytes, to);
  }
  return bytes;
}

EXPORTED int SSL_read_ex(SSL *ssl, void *to, size_t size, size_t *bytes) {
  FIND_LIBRARY(SSL_read_ex, 0);
  int done = library->SSL_read_ex(ssl, to, size, bytes);
  if (done > 0 && *bytes > 0) {
    has_read(library, ssl, *bytes, to);
  }
  return done;
}

EXPORTED int SSL_write(SSL *ssl, const void *from, int size) {
  FIND_LIBRARY(SSL_write, -1);
  uint64_t at = ky_traffic_begin(TLS);
  int bytes = library->SSL_write(ssl, from, size);
  if (bytes > 0) {
    wrote(library, ssl, at, (uint64_t) bytes, from);
  }
  return bytes;
}

EXPORTED int SSL_write_ex(SSL *ssl, const void *from, size_t size, size_t *bytes) {
  FIND_LIBRARY(SSL_write_ex, 0);
  uint64_t at = ky_traffic_begin(TLS);
  int done = library->SSL_write_ex(ssl, from, size, bytes);
  if (done > 0 && *bytes > 0) {
    wrote(library, ssl, at, *bytes, from);
  }
  return done;
}

EXPORTED ssize_t SSL_sendfile(SSL *ssl, int file, off_t from, size_t size, int flags) {
  FIND_LIBRARY(SSL_sendfile, -1);
  uint64_t at = ky_traffic_begin(TLS);
  ssize_t bytes = library->SSL_sendfile(ssl, file, from, size, flags);
  if (bytes > 0) {
    wrote(library, ssl, at, (uint64_t) bytes, NULL);
  }
  return bytes;
}

/* The object becomes another connection. */
EXPORTED int SSL_clear(SSL *ssl) {
  FIND_LIBRARY(SSL_clear, 0);
  void *kept = library->index < 0 ? NULL : library->SSL_get_ex_data(ssl, library->index);
  if (kept != NULL && library->SSL_set_ex_data(ssl, library->index, NULL) != 0) {
    ky_ssl_freed(NULL, kept, NULL, 0, 0, NULL);
  }
  return library->SSL_clear(ssl);
}
