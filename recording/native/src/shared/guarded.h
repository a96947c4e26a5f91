/* Writes records off the fast path, within a guard. */
#ifndef KYMO_GUARDED_H
#define KYMO_GUARDED_H

#include <stdbool.h>

#include "ring.h"

/* Whether this code runs in a handler that interrupted the writing of a record; if not, an earlier handler has left a
 * record by a jump.
 *
 * @param here frame of the function that the program called */
bool ky_is_nested(const struct ring *ring, const char *here);

/* Writes a record, and first makes the ring or the room for it if need be; or defers it if it interrupts another
 * record. Within a guard, for a process that is being recorded.
 *
 * @param frame of the function that the program called */
void ky_record_guarded(struct process *process, const struct record *record, const void *frame);

#endif
