/* Two threads that send each other texts through a pair of sockets, as Spoken.java does: whole requests and answers of
 * HTTP, and what only looks so. Each text is written and read by one call, in one piece or in two. Then one thread gives
 * the kernel places where there is no memory. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TEXTS = 11, MOST = 4096 };

static char long_request[MOST];
static char longer_request[MOST];
static const char *const texts[TEXTS][2] = {
    {"GET /first HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
    {"POST /k\xc3\xa4se?secret=1 HTTP/1.1\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"},
    {"GET /a part of the body HTTP", "HTTP/1.1 404 Not Found\r\n\r\n"},
    {"DELETE http://user:word@host:80/gone#x HTTP/1.1\r\n\r\n", "HTTP/1.0 500 \r\n\r\n"},
    {"GET key\r\n", "HTTP/1.1 2x0"},
    {"PUT", "HTTP/2 200 OK, says nobody"},
    {"GET /\001 HTTP/1.1\r\n\r\n", "HTTP"},
    {long_request, "HTTP/1.1 204 None\r\n\r\n"},
    {longer_request, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\n\r\n"},
    {"GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"},
    {"OPTIONS * HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"},
};

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void say(int to, const char *text) {
  size_t size = strlen(text);
  struct iovec parts[] = {{(char *) text, size - 1}, {(char *) text + size - 1, 1}};
  ssize_t sent = size % 2 == 0 ? send(to, text, size, 0) : writev(to, parts, 2);
  if (sent != (ssize_t) size) {
    fail("send");
  }
}

static void hear(int from, const char *text) {
  char heard[MOST];
  size_t size = strlen(text);
  struct iovec parts[] = {{heard, size}, {heard + size, 1}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 1};
  ssize_t got =
      size % 3 == 0 ? recvmsg(from, &message, MSG_WAITALL) : recv(from, heard, size, MSG_WAITALL);
  if (got != (ssize_t) size || memcmp(heard, text, size) != 0) {
    fail("recv");
  }
}

static void *answer(void *socket) {
  for (int i = 0; i < TEXTS; i++) {
    hear(*(int *) socket, texts[i][0]);
    say(*(int *) socket, texts[i][1]);
  }
  return NULL;
}

int main(void) {
  int ends[2];
  pthread_t other;
  strcpy(long_request, "GET /long?");
  memset(long_request + strlen(long_request), 'q', 3000);
  strcat(long_request, " HTTP/1.1\r\n\r\n");
  strcpy(longer_request, "HEAD /");
  memset(longer_request + strlen(longer_request), 'p', 3000);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || pthread_create(&other, NULL, answer, &ends[1]) != 0) {
    fail("begin");
  }
  for (int i = 0; i < TEXTS; i++) {
    say(ends[0], texts[i][0]);
    hear(ends[0], texts[i][1]);
  }
  pthread_join(other, NULL);
  void *volatile nowhere = (void *) 16;
  struct iovec there = {nowhere, 100};
  if (send(ends[0], nowhere, 100, 0) != -1 || errno != EFAULT || writev(ends[0], &there, 1) != -1 ||
      errno != EFAULT || writev(ends[0], nowhere, 1) != -1 || errno != EFAULT) {
    fail("nowhere");
  }
  puts("said");
  return 0;
}
