/* How much of this process is recorded now. A child made by fork begins with its parent's values. */
#ifndef KYMO_LEVEL_H
#define KYMO_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

/* Levels, as in the class Level of recorder/. */
enum { LEVEL_CALLS = 1, LEVEL_EVENTS = 2, LEVEL_ALL = 3 };

/* Whether recording is stopped for now. */
extern bool ky_paused;

/* What is recorded while it is not. */
extern uint8_t ky_level;

/* Whether calls of functions are to be recorded now. */
static inline bool ky_calls_are_wanted(void) {
  return !ky_paused && (ky_level & LEVEL_CALLS) != 0;
}

#endif
