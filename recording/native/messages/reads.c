/* What reads from sockets. */
#include "parts.h"
#include "real.h"

/* These bytes stay where they are, or are not of the stream. */
enum { READS_NOTHING = MSG_PEEK | MSG_ERRQUEUE | MSG_OOB };

#define READING(flags, first, call) \
  struct connection *connection = connection_of(descriptor); \
  ssize_t bytes = call; \
  if (connection != NULL && bytes > 0 && ((flags) & READS_NOTHING) == 0) { \
    ky_read_bytes(connection, descriptor, (uint64_t) bytes, first); \
  } \
  return bytes

EXPORTED ssize_t read(int descriptor, void *to, size_t size) {
  READING(0, BYTES(to, size), REAL(read)(descriptor, to, size));
}

EXPORTED ssize_t readv(int descriptor, const struct iovec *to, int count) {
  READING(0, ky_first_of(to, (size_t) count), REAL(readv)(descriptor, to, count));
}

EXPORTED ssize_t preadv2(int descriptor, const struct iovec *to, int count, off_t offset, int flags) {
  READING(0, ky_first_of(to, (size_t) count), REAL(preadv2)(descriptor, to, count, offset, flags));
}

EXPORTED ssize_t preadv64v2(int descriptor, const struct iovec *to, int count, off64_t offset, int flags) {
  READING(0, ky_first_of(to, (size_t) count), REAL(preadv64v2)(descriptor, to, count, offset, flags));
}

EXPORTED ssize_t recv(int descriptor, void *to, size_t size, int flags) {
  READING(flags, BYTES(to, size), REAL(recv)(descriptor, to, size, flags));
}

EXPORTED ssize_t recvfrom(
    int descriptor, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *from_size) {
  READING(flags, BYTES(to, size), REAL(recvfrom)(descriptor, to, size, flags, from, from_size));
}

EXPORTED ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
  READING(flags, ky_first_of(message->msg_iov, message->msg_iovlen), REAL(recvmsg)(descriptor, message, flags));
}

/* What programs call that were compiled to be checked; they check, and end the program if the room is too small. */
EXPORTED ssize_t __read_chk(int descriptor, void *to, size_t size, size_t room) {
  READING(0, BYTES(to, size), REAL(__read_chk)(descriptor, to, size, room));
}

EXPORTED ssize_t __recv_chk(int descriptor, void *to, size_t size, size_t room, int flags) {
  READING(flags, BYTES(to, size), REAL(__recv_chk)(descriptor, to, size, room, flags));
}

EXPORTED ssize_t __recvfrom_chk(
    int descriptor, void *to, size_t size, size_t room, int flags, struct sockaddr *from, socklen_t *from_size) {
  READING(flags, BYTES(to, size), REAL(__recvfrom_chk)(descriptor, to, size, room, flags, from, from_size));
}

EXPORTED int recvmmsg(int descriptor, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout) {
  struct connection *connection = connection_of(descriptor);
  int got = REAL(recvmmsg)(descriptor, messages, count, flags, timeout);
  for (int i = 0; connection != NULL && i < got && (flags & READS_NOTHING) == 0; i++) {
    if (messages[i].msg_len > 0) {
      struct msghdr *message = &messages[i].msg_hdr;
      ky_read_bytes(connection, descriptor, messages[i].msg_len, ky_first_of(message->msg_iov, message->msg_iovlen));
    }
  }
  return got;
}
