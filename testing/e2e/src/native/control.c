/* Does what the first argument says, and says on standard output what came of it. */
#define _GNU_SOURCE
#include <kymo.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void define(void) {
  kymo_event_define("disk", 5, "I/O", "", 1, "TICK", KYMO_INSTANT, "", "", "u64 n;");
  kymo_event_define("app", 0, "", "", 0, "tock", KYMO_COUNTER, "", "", "i64 value;");
}

static void tick(uint64_t n) {
  static uint32_t event;
  if (event == 0) {
    event = kymo_event_define("disk", 5, "I/O", "", 1, "TICK", KYMO_INSTANT, "", "", "u64 n;");
  }
  kymo_event(event, n);
}

static void tock(uint64_t n) {
  kymo_counter("tock", (int64_t) n);
}

/* Begins, and ends, with a text: the first eight bytes are a number. */
static void work(uint64_t n) {
  static uint32_t begin;
  static uint32_t end;
  static uint32_t said;
  if (begin == 0) {
    begin = kymo_event_define("disk", 5, "I/O", "", 2, "READ", KYMO_BEGIN, "", "", "");
    end = kymo_event_define("disk", 5, "I/O", "", 3, "READ_DONE", KYMO_END, "READ", "", "");
    said = kymo_event_define("disk", 5, "I/O", "", 4, "SAID", KYMO_INSTANT, "", "", "u64 n; bytes b;");
  }
  unsigned char data[10] = "";
  memcpy(data, &n, sizeof n);
  kymo_enter_event(begin);
  kymo_event_data(said, data, sizeof data);
  kymo_leave_event(end);
}

/* Ticks until standard input ends. */
static void until_told(void) {
  struct pollfd in = {0, POLLIN, 0};
  printf("%d\n", (int) getpid());
  fflush(stdout);
  for (uint64_t n = 1; n % 32 != 0 || poll(&in, 1, 0) == 0; n++) {
    tick(n);
    tock(n);
    usleep(300);
  }
}

/* A child that records, too. */
static void with_child(void) {
  tick(0);
  pid_t child = fork();
  if (child == 0) {
    until_told();
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

static void many(long number) {
  char name[64];
  for (long i = 0; i < number; i++) {
    snprintf(name, sizeof name, "many/event_with_a_long_name_%ld", i);
    kymo_instant(name);
  }
  until_told();
}

static void numbered(long from, long number) {
  for (long n = from; n <= number; n++) {
    tick((uint64_t) n);
    work((uint64_t) n);
    tock((uint64_t) n);
  }
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  long number = argc > 2 ? atol(argv[2]) : 0;
  define();
  if (strcmp(what, "until") == 0) {
    until_told();
  } else if (strcmp(what, "child") == 0) {
    with_child();
  } else if (strcmp(what, "many") == 0) {
    many(number);
  } else if (strcmp(what, "numbered") == 0) {
    numbered(1, number);
  } else if (strcmp(what, "slowly") == 0) {
    for (long n = 1; n <= number; n++) {
      numbered(n, n);
      usleep(50);
    }
  } else {
    fprintf(stderr, "unknown: %s\n", what);
    return 1;
  }
  puts("fine");
  return 0;
}
