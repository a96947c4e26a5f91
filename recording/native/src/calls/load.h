/* What functions cost a thread, and which of them are to cost less. */
#ifndef KYMO_LOAD_H
#define KYMO_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "functions.h"
#include "layout.h"

enum { MOST_OPEN = 1024 };

/* What a function costs a thread. */
struct load {
  uint32_t function;
  uint32_t before; /* its mode */
  uint32_t mode; /* that it is to have */
  double rate; /* calls a tick */
  double average; /* ticks of a call; less than 0: not known */
  double cost; /* part of the thread's time, in the mode that it is to have */
};

/* What a packet says of a function. */
struct tally {
  uint32_t calls;
  uint32_t ended;
  uint64_t durations;
};

/* What a packet says of all; nothing between two packets. */
struct tallies {
  uint32_t count;
  uint64_t ticks; /* from the first record to the last */
  uint32_t open[MOST_OPEN]; /* calls; not on the stack, a thread's may be small */
  uint64_t begins[MOST_OPEN];
  uint32_t functions[MOST_FUNCTIONS]; /* that were called */
  struct tally of[MOST_FUNCTIONS + 1];
};

/* Takes the records of a packet apart, which may be damaged.
 *
 * @param functions numbers that functions have so far
 * @param begin clock that its first record follows */
void ky_tallies_take(
    struct tallies *tallies, const uint64_t *words, uint32_t count, uint64_t begin, uint32_t functions);

void ky_tallies_clear(struct tallies *tallies);

/* Lets functions down, hottest first, and of those that cost about the same the shortest, until what they cost
 * together fits into the room: in a flat profile that is thousands, none of which costs much. Changes their
 * order.
 *
 * @param costs ticks of a call by mode */
void ky_loads_lower(struct load *loads, uint32_t count, const double *costs, double room);

#endif
