/* Notices that a program restricts its own system calls. */
#ifndef KYMO_SANDBOX_H
#define KYMO_SANDBOX_H

#include <stdint.h>

/* If a system call is about to restrict the process's system calls, its recording ends first. */
void ky_look_at_restriction(long number, uint64_t first, uint64_t second, uint64_t third);

#endif
