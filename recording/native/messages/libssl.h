/* The functions of OpenSSL that the wrappers of the same name call. Kymo is built without OpenSSL, and a program may
 * bring any version from 1.1.1 on, or several at once. */
#ifndef KYMO_LIBSSL_H
#define KYMO_LIBSSL_H

#include <stddef.h>
#include <sys/types.h>

typedef struct ssl SSL; /* only OpenSSL knows what is in it */

#define SSL_FUNCTIONS(X) \
  X(SSL_read, int, (SSL *, void *, int)) \
  X(SSL_read_ex, int, (SSL *, void *, size_t, size_t *)) \
  X(SSL_write, int, (SSL *, const void *, int)) \
  X(SSL_write_ex, int, (SSL *, const void *, size_t, size_t *)) \
  X(SSL_sendfile, ssize_t, (SSL *, int, off_t, size_t, int)) \
  X(SSL_clear, int, (SSL *)) \
  X(SSL_get_client_random, size_t, (const SSL *, unsigned char *, size_t)) \
  X(SSL_get_server_random, size_t, (const SSL *, unsigned char *, size_t)) \
  X(SSL_is_server, int, (const SSL *)) \
  X(SSL_version, int, (const SSL *)) \
  X(SSL_get_ex_data, void *, (const SSL *, int)) \
  X(SSL_set_ex_data, int, (SSL *, int, void *)) \
  X(CRYPTO_get_ex_new_index, int, (int, long, void *, void *, SSL_COPIED, SSL_FREED))

/* What OpenSSL calls with what somebody keeps with a connection, when that is copied or freed. */
typedef int (*SSL_COPIED)(void *, const void *, void *, int, long, void *);
typedef void (*SSL_FREED)(void *, void *, void *, int, long, void *);

struct libssl {
  struct libssl *next;
#define MEMBER(name, result, parameters) result(*name) parameters;
  SSL_FUNCTIONS(MEMBER)
#undef MEMBER
  int index; /* of what is kept with each connection; below 0: connections cannot be recorded */
};

/* The functions that a call would have reached without the wrappers. Those that its library lacks are NULL.
 *
 * @param caller the address to which the wrapper returns
 * @return NULL without memory
 */
const struct libssl *ky_libssl(void *caller);

/* What is kept with a connection is not needed any more. Defined by who keeps it. */
void ky_ssl_freed(void *parent, void *kept, void *all, int index, long number, void *pointer);

#endif
