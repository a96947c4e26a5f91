/* A child sends numbers over a TCP connection, a Unix socket or a pair of sockets, and its parent answers each. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

/* Reads the halves of a number one by one. */
static int get(int connection) {
  int number;
  if (recv(connection, &number, 2, MSG_WAITALL) != 2 || read(connection, (char *) &number + 2, 2) != 2) {
    fail("read");
  }
  return number;
}

static void ask(int connection, int count) {
  int back = dup(connection);
  for (int i = 0; i < count; i++) {
    if (send(connection, &i, sizeof i, 0) != sizeof i || get(back) != i + 1) {
      fail("send");
    }
  }
}

static void answer(int connection, int count) {
  for (int i = 0; i < count; i++) {
    int peeked;
    if (recv(connection, &peeked, sizeof peeked, MSG_PEEK | MSG_WAITALL) != sizeof peeked) {
      fail("recv");
    }
    int number = get(connection) + 1;
    struct iovec halves[] = {{&number, 2}, {(char *) &number + 2, 2}};
    if (number != peeked + 1 || writev(connection, halves, 2) != sizeof number) {
      fail("writev");
    }
  }
}

static void pair(int count) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    fail("socketpair");
  }
  if (fork() == 0) {
    close(ends[0]);
    ask(ends[1], count);
    exit(0);
  }
  close(ends[1]);
  answer(ends[0], count);
}

static void connected(const struct sockaddr *given, socklen_t size, int count) {
  struct sockaddr_storage address;
  int listening = socket(given->sa_family, SOCK_STREAM, 0);
  if (bind(listening, given, size) != 0 || listen(listening, 1) != 0) {
    fail("listen");
  }
  socklen_t bound = sizeof address;
  getsockname(listening, (struct sockaddr *) &address, &bound);
  if (fork() == 0) {
    int connection = socket(given->sa_family, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *) &address, bound) != 0) {
      fail("connect");
    }
    ask(connection, count);
    exit(0);
  }
  answer(accept(listening, NULL, NULL), count);
}

int main(int arguments, char **argument) {
  int count = arguments > 2 ? atoi(argument[2]) : 0;
  struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct sockaddr_un local = {.sun_family = AF_UNIX};
  if (arguments > 2 && strcmp(argument[1], "pair") == 0) {
    pair(count);
  } else if (arguments > 2 && strcmp(argument[1], "tcp") == 0) {
    connected((struct sockaddr *) &tcp, sizeof tcp, count);
  } else if (arguments > 3 && strcmp(argument[1], "unix") == 0) {
    snprintf(local.sun_path, sizeof local.sun_path, "%s", argument[3]);
    connected((struct sockaddr *) &local, sizeof local, count);
  } else {
    return 2;
  }
  int status;
  wait(&status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
