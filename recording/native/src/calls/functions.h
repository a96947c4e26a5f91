/* The functions of programs built with -finstrument-functions. */
#ifndef KYMO_FUNCTIONS_H
#define KYMO_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/process.h"

/* Once, before all others; false if there is no memory. */
bool ky_functions_init(void);

/* A recording begins: all functions that were called so far are defined in it. NULL: the recording is over. */
void ky_functions_begin(struct process *process);

/* Updates whether hooks record calls. */
void ky_functions_show(const struct process *process, bool on);

/* The recording's generation while calls are recorded; 0: they are not. Its first value makes the first call look for a
 * recording. */
extern uint8_t ky_functions_shown __attribute__((visibility("hidden")));

/* Code may be unloaded, and then other functions and places may lie at its addresses: the first is called before that,
 * the second after it. Within a guard. */
void ky_functions_unloading(void);
void ky_functions_unloaded(void);

enum { FUNCTION_PLACES = 1 << 18, MOST_FUNCTIONS = FUNCTION_PLACES / 4 * 3, NOT_RECORDED = 0 };

struct place_of_function {
  uintptr_t function; /* stored last */
  uint32_t number;
  uint32_t slot; /* where its calls are counted; 0: they are events */
};

/* A hash table by address, read without a lock. Hidden, so that hooks address it directly. */
extern struct place_of_function ky_places[FUNCTION_PLACES] __attribute__((visibility("hidden")));

static inline uint32_t ky_function_place(uintptr_t function) {
  return (uint32_t) (function >> 4 ^ function >> 22) & (FUNCTION_PLACES - 1);
}

/* Whether a function is known, and is not to be recorded. */
bool ky_function_is_left_out(uintptr_t function);

/* A function's number; NOT_RECORDED if it is not recorded. Within a guard. */
uint32_t ky_function_number(struct process *process, uintptr_t function);

/* The slot in which a function's calls are counted; 0: they are events. */
uint32_t ky_function_slot(uint32_t number);

/* From now on, calls of a function are counted in this slot, or are events if it is 0. Within a guard. */
void ky_function_set_slot(uint32_t number, uint32_t slot);

/* The highest number of a function or place so far. */
uint32_t ky_functions_known(void);

enum { TOLD = 1 << 16 };

/* Addresses of code whose place this process has defined, or cannot define. */
extern uintptr_t ky_told[TOLD];

static inline uint32_t ky_place_of_told(uintptr_t address) {
  return (uint32_t) (address ^ address >> 16) & (TOLD - 1);
}

/* Whether an address of an event needs no definition; also false if that takes more than one look. */
static inline bool ky_is_told(uintptr_t address) {
  return __atomic_load_n(&ky_told[ky_place_of_told(address)], __ATOMIC_ACQUIRE) == address;
}

/* Whether a place is defined, or must not be defined. */
bool ky_place_is_settled(uintptr_t address);

/* Defines the place of an address, unless it is defined. Takes milliseconds for the first address of a file. Within a
 * guard.
 *
 * @param is_return whether it is a return address; then the place is the call before it */
void ky_place_define(struct process *process, uintptr_t address, bool is_return);

#endif
