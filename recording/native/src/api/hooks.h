/* Definitions of places, for the hooks of -finstrument-functions and the wrappers of the thread library. */
#ifndef KYMO_HOOKS_H
#define KYMO_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

/* Defines the place of an address before an event contains it, unless it is defined. Takes milliseconds for the first
 * address of a file. By any thread, also in signal handlers.
 *
 * @param is_return whether it is a return address; then the place is the call before it */
void ky_tell_place(uintptr_t address, bool is_return);

#endif
