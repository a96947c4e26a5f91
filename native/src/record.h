/* What the functions that record have in common. */
#ifndef KYMO_RECORD_H
#define KYMO_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring.h"

#define RARELY(condition) __builtin_expect(!!(condition), 0)
#define OUT_OF_LINE __attribute__((noinline, cold))

/* Handlers run on the thread that they interrupt: only the compiler must be kept from moving things. */
#define SEEN_BY_HANDLERS() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Whether this runs in a handler that interrupted a record, rather than after a handler that left one by
 * a jump.
 *
 * @param here frame of the function that the program called */
bool ky_is_nested(const struct ring *ring, const char *here);

/* Writes what handlers recorded meanwhile, if no record is under way. */
void ky_write_deferred(struct ring *ring);

/* An event is too large: counted as lost, and said once. */
void ky_refuse(uint32_t number, size_t size);

#endif
