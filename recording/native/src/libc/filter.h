/* What a filter of system calls (seccomp) does to this library. */
#ifndef KYMO_FILTER_H
#define KYMO_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>

/* Whether it does not just answer to a system call that a recorded process makes for its recording, but ends the process
 * or asks somebody. */
bool ky_filter_is_deadly(const struct sock_fprog *filter);

#endif
