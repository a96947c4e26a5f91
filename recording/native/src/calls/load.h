/* What functions cost a thread, and which of them must cost less. */
#ifndef KYMO_LOAD_H
#define KYMO_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/layout.h"
#include "functions.h"

enum { MOST_OPEN = 1024 };

/* What a function costs a thread. */
struct load {
  uint32_t function;
  uint32_t before; /* its current mode */
  uint32_t mode; /* its next mode */
  double rate; /* calls a tick */
  double average; /* ticks of a call; less than 0: not known */
  double cost; /* part of the thread's time, in the next mode */
};

/* What a packet says about a function. */
struct tally {
  uint32_t calls;
  uint32_t ended;
  uint64_t durations;
};

/* What a packet says about all functions; empty between two packets. */
struct tallies {
  uint32_t count;
  uint64_t ticks; /* from the first record to the last */
  uint32_t open[MOST_OPEN]; /* calls; not on the stack, a thread's may be small */
  uint64_t begins[MOST_OPEN];
  uint32_t functions[MOST_FUNCTIONS]; /* that were called */
  struct tally of[MOST_FUNCTIONS + 1];
};

/* Reads the records of a packet, which may be damaged.
 *
 * @param functions the highest number of a function so far
 * @param begin the packet's clock, which its first record follows */
void ky_tallies_take(
    struct tallies *tallies, const uint64_t *words, uint32_t count, uint64_t begin, uint32_t functions);

void ky_tallies_clear(struct tallies *tallies);

/* Lowers the modes of functions until their costs together fit into the room: the most expensive first, and among equal
 * costs the shortest. In a flat profile these are thousands of functions, each of which costs little. Changes the order
 * of the loads.
 *
 * @param costs ticks of a call by mode */
void ky_loads_lower(struct load *loads, uint32_t count, const double *costs, double room);

#endif
