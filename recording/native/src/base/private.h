/* Memory by which a process notices that it is a child made by fork: there it is zeroed. Linux does that, whatever made
 * the child. QEMU's user mode 7.2 promises it and does not; then wrappers of the functions that make children do. */
#ifndef KYMO_PRIVATE_H
#define KYMO_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory, which a child made by fork finds zeroed again; NULL if there is none. */
void *ky_private_memory(size_t size);

/* Whether nothing but ky_zero_private_memory() zeroes it in children. Set with the first such memory. */
extern bool ky_zeroes_itself;

/* To be called in a child, before all else. Does nothing if the system has zeroed the memory. */
void ky_zero_private_memory(void);

/* Whether that has zeroed memory, in this process or a process before it. QEMU's user mode 7.2 fails (an assertion in
 * its plugins/core.c) when such a child makes a thread, and its parent had made one before. */
extern bool ky_has_zeroed;

#endif
