/* The C library's own functions, which the wrappers of the same name call. */
#ifndef KYMO_REAL_SOCKETS_H
#define KYMO_REAL_SOCKETS_H

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Each: name, result, parameters. */
#define SOCKET_FUNCTIONS(X) \
  X(socket, int, (int, int, int)) \
  X(socketpair, int, (int, int, int, int *)) \
  X(accept, int, (int, struct sockaddr *, socklen_t *)) \
  X(accept4, int, (int, struct sockaddr *, socklen_t *, int)) \
  X(close, int, (int)) \
  X(close_range, int, (unsigned, unsigned, int)) \
  X(closefrom, void, (int)) \
  X(fclose, int, (FILE *)) \
  X(freopen, FILE *, (const char *, const char *, FILE *)) \
  X(freopen64, FILE *, (const char *, const char *, FILE *)) \
  X(dup, int, (int)) \
  X(dup2, int, (int, int)) \
  X(dup3, int, (int, int, int)) \
  X(fcntl, int, (int, int, ...)) \
  X(fcntl64, int, (int, int, ...)) \
  X(read, ssize_t, (int, void *, size_t)) \
  X(readv, ssize_t, (int, const struct iovec *, int)) \
  X(preadv2, ssize_t, (int, const struct iovec *, int, off_t, int)) \
  X(preadv64v2, ssize_t, (int, const struct iovec *, int, off64_t, int)) \
  X(recv, ssize_t, (int, void *, size_t, int)) \
  X(recvfrom, ssize_t, (int, void *, size_t, int, struct sockaddr *, socklen_t *)) \
  X(recvmsg, ssize_t, (int, struct msghdr *, int)) \
  X(recvmmsg, int, (int, struct mmsghdr *, unsigned, int, struct timespec *)) \
  X(__read_chk, ssize_t, (int, void *, size_t, size_t)) \
  X(__recv_chk, ssize_t, (int, void *, size_t, size_t, int)) \
  X(__recvfrom_chk, ssize_t, (int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *)) \
  X(write, ssize_t, (int, const void *, size_t)) \
  X(writev, ssize_t, (int, const struct iovec *, int)) \
  X(pwritev2, ssize_t, (int, const struct iovec *, int, off_t, int)) \
  X(pwritev64v2, ssize_t, (int, const struct iovec *, int, off64_t, int)) \
  X(send, ssize_t, (int, const void *, size_t, int)) \
  X(sendto, ssize_t, (int, const void *, size_t, int, const struct sockaddr *, socklen_t)) \
  X(sendmsg, ssize_t, (int, const struct msghdr *, int)) \
  X(sendmmsg, int, (int, struct mmsghdr *, unsigned, int)) \
  X(sendfile, ssize_t, (int, int, off_t *, size_t)) \
  X(sendfile64, ssize_t, (int, int, off64_t *, size_t)) \
  X(splice, ssize_t, (int, off64_t *, int, off64_t *, size_t, unsigned))

#define MEMBER(name, result, parameters) result(*name) parameters;
struct real_sockets {
  SOCKET_FUNCTIONS(MEMBER)
};
#undef MEMBER

extern struct real_sockets ky_sockets;

/* Finds them all. */
void ky_sockets_find(void);

/* A function of the C library, which is found first if nothing of this library has run yet. */
#define REAL(name) \
  (*(__builtin_expect(ky_sockets.name == NULL, 0) ? (ky_sockets_find(), ky_sockets.name) : ky_sockets.name))

#endif
