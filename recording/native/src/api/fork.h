/* Handlers that run when the program makes a child by fork. */
#ifndef KYMO_FORK_H
#define KYMO_FORK_H

#include <stdbool.h>

/* Once; false if there is no memory. */
bool ky_fork_init(void);

#endif
