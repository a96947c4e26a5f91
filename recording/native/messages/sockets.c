/* What makes, shares and closes sockets. */
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include "parts.h"
#include "real.h"

/* CLOSE_RANGE_CLOEXEC of Linux 5.11: nothing is closed yet. */
enum { CLOSE_ON_EXEC = 1 << 2 };

EXPORTED int socket(int domain, int type, int protocol) {
  int made = REAL(socket)(domain, type, protocol);
  ky_connection_begin(made);
  return made;
}

EXPORTED int socketpair(int domain, int type, int protocol, int made[2]) {
  int result = REAL(socketpair)(domain, type, protocol, made);
  if (result == 0) {
    ky_connection_begin(made[0]);
    ky_connection_begin(made[1]);
  }
  return result;
}

EXPORTED int accept(int listening, struct sockaddr *address, socklen_t *size) {
  int made = REAL(accept)(listening, address, size);
  ky_connection_begin(made);
  return made;
}

EXPORTED int accept4(int listening, struct sockaddr *address, socklen_t *size, int flags) {
  int made = REAL(accept4)(listening, address, size, flags);
  ky_connection_begin(made);
  return made;
}

/* The number is free once it is closed, and may be another thread's next socket. */
EXPORTED int close(int descriptor) {
  ky_connection_end(descriptor);
  return REAL(close)(descriptor);
}

EXPORTED int close_range(unsigned first, unsigned last, int flags) {
  if ((flags & CLOSE_ON_EXEC) == 0) {
    ky_connections_end(first, last);
  }
  return REAL(close_range)(first, last, flags);
}

EXPORTED void closefrom(int first) {
  ky_connections_end(first < 0 ? 0 : (unsigned) first, UINT_MAX);
  REAL(closefrom)(first);
}

EXPORTED int fclose(FILE *stream) {
  if (stream != NULL) {
    ky_connection_end(fileno(stream));
  }
  return REAL(fclose)(stream);
}

/* Another file gets the number. */
EXPORTED FILE *freopen(const char *path, const char *mode, FILE *stream) {
  if (stream != NULL) {
    ky_connection_end(fileno(stream));
  }
  return REAL(freopen)(path, mode, stream);
}

EXPORTED FILE *freopen64(const char *path, const char *mode, FILE *stream) {
  if (stream != NULL) {
    ky_connection_end(fileno(stream));
  }
  return REAL(freopen64)(path, mode, stream);
}

EXPORTED int dup(int descriptor) {
  int other = REAL(dup)(descriptor);
  ky_connection_share(descriptor, other);
  return other;
}

EXPORTED int dup2(int descriptor, int other) {
  int result = REAL(dup2)(descriptor, other);
  ky_connection_share(descriptor, result);
  return result;
}

EXPORTED int dup3(int descriptor, int other, int flags) {
  int result = REAL(dup3)(descriptor, other, flags);
  ky_connection_share(descriptor, result);
  return result;
}

/* Whatever the third argument is, it has the size of a pointer. */
#define CONTROL(function) \
  va_list rest; \
  va_start(rest, command); \
  void *argument = va_arg(rest, void *); \
  va_end(rest); \
  int result = REAL(function)(descriptor, command, argument); \
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) { \
    ky_connection_share(descriptor, result); \
  } \
  return result

EXPORTED int fcntl(int descriptor, int command, ...) {
  CONTROL(fcntl);
}

EXPORTED int fcntl64(int descriptor, int command, ...) {
  CONTROL(fcntl64);
}
