/* What an event costs in C, beside the bare clock: rounds that take turns, medians. */
#include <kymo.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#define CLOCK() __rdtsc()
#else
#define CLOCK() 0
#endif

enum { ROUNDS = 101, EVENTS = 200000, KINDS = 6 };

static uint32_t event;
static uint32_t begin;
static uint32_t end;
static uint32_t off;

static const char *const names[KINDS] = {"clock (rdtsc)", "event", "event of 24 bytes of data",
    "enter or leave", "kymo_counter", "event that is off"};

static double nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

static double round_of(int kind) {
  volatile uint64_t sink = 0;
  const char data[24] = "twenty-four bytes of it";
  double before = nanos();
  for (int i = 0; i < EVENTS; i++) {
    switch (kind) {
      case 0: sink = CLOCK(); break;
      case 1: kymo_event(event, (uint64_t) i); break;
      case 2: kymo_event_data(event, data, sizeof data); break;
      case 3: i % 2 == 0 ? kymo_enter_event(begin) : kymo_leave_event(end); break;
      case 4: kymo_counter("queue", i); break;
      default:
        if (kymo_event_on(off)) {
          kymo_event(off, (uint64_t) i);
        }
        __asm__ volatile("");
    }
  }
  (void) sink;
  return (nanos() - before) / EVENTS;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *) a;
  double y = *(const double *) b;
  return (x > y) - (x < y);
}

int main(void) {
  static double all[KINDS][ROUNDS];
  event = kymo_event_define("bench", 1, "", "", 1, "EVENT", KYMO_INSTANT, "", "", "u64 i;");
  begin = kymo_event_define("bench", 1, "", "", 2, "BEGIN", KYMO_BEGIN, "", "", "");
  end = kymo_event_define("bench", 1, "", "", 3, "END", KYMO_END, "BEGIN", "", "");
  off = kymo_event_define("bench", 1, "", "", 4, "OFF", KYMO_INSTANT, "", "", "");
  for (int round = 0; round < ROUNDS; round++) {
    for (int kind = 0; kind < KINDS; kind++) {
      all[kind][round] = round_of(kind);
    }
  }
  for (int kind = 0; kind < KINDS; kind++) {
    qsort(all[kind], ROUNDS, sizeof(double), compare);
  }
  for (int kind = 0; kind < KINDS; kind++) {
    printf("%-26s %6.2f ns  %.3f of the clock\n", names[kind], all[kind][ROUNDS / 2],
        all[kind][ROUNDS / 2] / all[0][ROUNDS / 2]);
  }
  return kymo_event_on(event) ? 0 : 1;
}
