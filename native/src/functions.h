/* The functions of programs built with -finstrument-functions. */
#ifndef KYMO_FUNCTIONS_H
#define KYMO_FUNCTIONS_H

#include "process.h"

/* Once, before all others; false if there is no memory. */
bool ky_functions_init(void);

/* A recording begins, and is told of all functions that were called so far; NULL: it is over. */
void ky_functions_begin(struct process *process);

/* Has the hooks see whether calls are to be recorded now. */
void ky_functions_show(const struct process *process, bool on);

/* Code was unloaded: other functions may come to lie where its were. Within a guard. */
void ky_functions_unloaded(void);

#endif
