/* The functions of programs built with -finstrument-functions. */
#ifndef KYMO_FUNCTIONS_H
#define KYMO_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/* Once, before all others; false if there is no memory. */
bool ky_functions_init(void);

/* A recording begins, and is told of all functions that were called so far; NULL: it is over. */
void ky_functions_begin(struct process *process);

/* Has the hooks see whether calls are to be recorded now. */
void ky_functions_show(const struct process *process, bool on);

/* Whether hooks record; see functions.c. */
extern uint8_t ky_functions_shown;

/* Code was unloaded: other functions and places may come to lie where its were. Within a guard. */
void ky_functions_unloaded(void);

enum { FUNCTION_PLACES = 1 << 18, MOST_FUNCTIONS = FUNCTION_PLACES / 4 * 3 };

/* From now on calls of a function that begin are counted in this slot, or are events if it is 0. Within a
 * guard. */
void ky_function_slot(uint32_t number, uint32_t slot);

/* How many numbers functions and places have so far, from 1. */
uint32_t ky_functions_known(void);

enum { TOLD = 1 << 16 };

/* Addresses of code whose place this process has defined, or cannot. */
extern uintptr_t ky_told[TOLD];

static inline uint32_t ky_place_of_told(uintptr_t address) {
  return (uint32_t) (address ^ address >> 16) & (TOLD - 1);
}

/* Whether nothing is to be done for an address that an event has; false also if it is not found at once. */
static inline bool ky_is_told(uintptr_t address) {
  return __atomic_load_n(&ky_told[ky_place_of_told(address)], __ATOMIC_ACQUIRE) == address;
}

/* Defines the place of an address that an event is to have, unless that is done. Takes milliseconds for
 * the first one in a file. By any thread, also in signal handlers.
 *
 * @param is_return whether a call returns to it: then the call is before it */
void ky_tell_place(uintptr_t address, bool is_return);

#endif
