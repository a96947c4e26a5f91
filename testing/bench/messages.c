/* What recording a socket call costs: a byte written into a connection and read again by one thread, by the C library's
 * functions, which are recorded, and by bare system calls, which are not. The two take turns. Prints the medians in
 * nanoseconds a call, and their difference. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 101, CALLS = 20000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static double library(const int *ends) {
  char byte = 0;
  double begin = now();
  for (int i = 0; i < CALLS / 2; i++) {
    if (write(ends[0], &byte, 1) != 1 || read(ends[1], &byte, 1) != 1) {
      exit(1);
    }
  }
  return (now() - begin) / CALLS;
}

static double bare(const int *ends) {
  char byte = 0;
  double begin = now();
  for (int i = 0; i < CALLS / 2; i++) {
    if (syscall(SYS_write, ends[0], &byte, 1) != 1 || syscall(SYS_read, ends[1], &byte, 1) != 1) {
      exit(1);
    }
  }
  return (now() - begin) / CALLS;
}

static int compare(const void *a, const void *b) {
  double difference = *(const double *) a - *(const double *) b;
  return difference < 0 ? -1 : difference > 0;
}

/* Bare calls would move the positions of a connection that is recorded, so each way has its own. */
static void measure(const char *what, const int *recorded, const int *unrecorded) {
  static double of_library[ROUNDS];
  static double of_bare[ROUNDS];
  library(recorded);
  bare(unrecorded);
  for (int i = 0; i < ROUNDS; i++) {
    of_library[i] = library(recorded);
    of_bare[i] = bare(unrecorded);
  }
  qsort(of_library, ROUNDS, sizeof *of_library, compare);
  qsort(of_bare, ROUNDS, sizeof *of_bare, compare);
  double with = of_library[ROUNDS / 2];
  double without = of_bare[ROUNDS / 2];
  printf("%-5s recorded %.0f ns a call, bare %.0f ns: %.0f ns more\n", what, with, without, with - without);
}

static void tcp(int *ends) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listening, (struct sockaddr *) &address, size) != 0 || listen(listening, 1) != 0
      || getsockname(listening, (struct sockaddr *) &address, &size) != 0
      || connect(ends[0], (struct sockaddr *) &address, size) != 0) {
    exit(1);
  }
  ends[1] = accept(listening, NULL, NULL);
  close(listening);
}

int main(void) {
  int recorded[2];
  int unrecorded[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, recorded) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, unrecorded) != 0) {
    return 1;
  }
  measure("unix", recorded, unrecorded);
  tcp(recorded);
  tcp(unrecorded);
  measure("tcp", recorded, unrecorded);
  return 0;
}
