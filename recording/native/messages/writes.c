/* What writes into sockets. */
#include "parts.h"
#include "real.h"

/* Urgent data may or may not be in the stream that the other end reads. */
#define WRITING(flags, first, call) \
  struct connection *connection = connection_of(descriptor); \
  if (connection == NULL) { \
    return call; \
  } \
  uint64_t at = ky_before_write(connection, descriptor); \
  ssize_t bytes = call; \
  if (bytes > 0 && ((flags) & MSG_OOB) != 0) { \
    ky_leave_out(connection); \
  } else if (bytes > 0) { \
    ky_wrote(connection, descriptor, at, (uint64_t) bytes, first); \
  } \
  return bytes

EXPORTED ssize_t write(int descriptor, const void *from, size_t size) {
  WRITING(0, BYTES(from, size), REAL(write)(descriptor, from, size));
}

EXPORTED ssize_t writev(int descriptor, const struct iovec *from, int count) {
  WRITING(0, ky_first_of(from, (size_t) count), REAL(writev)(descriptor, from, count));
}

/* Of a socket there is only the current position, which is -1; others are refused. */
EXPORTED ssize_t pwritev2(int descriptor, const struct iovec *from, int count, off_t offset, int flags) {
  WRITING(0, ky_first_of(from, (size_t) count), REAL(pwritev2)(descriptor, from, count, offset, flags));
}

EXPORTED ssize_t pwritev64v2(int descriptor, const struct iovec *from, int count, off64_t offset, int flags) {
  WRITING(0, ky_first_of(from, (size_t) count), REAL(pwritev64v2)(descriptor, from, count, offset, flags));
}

EXPORTED ssize_t send(int descriptor, const void *from, size_t size, int flags) {
  WRITING(flags, BYTES(from, size), REAL(send)(descriptor, from, size, flags));
}

EXPORTED ssize_t sendto(
    int descriptor, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t to_size) {
  WRITING(flags, BYTES(from, size), REAL(sendto)(descriptor, from, size, flags, to, to_size));
}

EXPORTED ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  WRITING(flags, ky_first_of(message->msg_iov, message->msg_iovlen), REAL(sendmsg)(descriptor, message, flags));
}

EXPORTED ssize_t sendfile(int descriptor, int file, off_t *offset, size_t size) {
  WRITING(0, BYTES(NULL, 0), REAL(sendfile)(descriptor, file, offset, size));
}

EXPORTED ssize_t sendfile64(int descriptor, int file, off64_t *offset, size_t size) {
  WRITING(0, BYTES(NULL, 0), REAL(sendfile64)(descriptor, file, offset, size));
}

EXPORTED int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned count, int flags) {
  struct connection *connection = connection_of(descriptor);
  uint64_t at = connection == NULL ? 0 : ky_before_write(connection, descriptor);
  int sent = REAL(sendmmsg)(descriptor, messages, count, flags);
  for (int i = 0; connection != NULL && i < sent; i++) {
    if (messages[i].msg_len > 0) {
      struct msghdr *message = &messages[i].msg_hdr;
      ky_wrote(
          connection, descriptor, at, messages[i].msg_len, ky_first_of(message->msg_iov, message->msg_iovlen));
    }
  }
  return sent;
}

/* One end is a pipe, the other may be a socket. */
EXPORTED ssize_t splice(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size, unsigned flags) {
  struct connection *source = connection_of(from);
  struct connection *target = connection_of(to);
  uint64_t at = target == NULL ? 0 : ky_before_write(target, to);
  ssize_t bytes = REAL(splice)(from, from_offset, to, to_offset, size, flags);
  if (bytes > 0 && source != NULL) {
    ky_read_bytes(source, from, (uint64_t) bytes, BYTES(NULL, 0));
  }
  if (bytes > 0 && target != NULL) {
    ky_wrote(target, to, at, (uint64_t) bytes, BYTES(NULL, 0));
  }
  return bytes;
}
