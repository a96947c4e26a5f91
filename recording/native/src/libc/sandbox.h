/* Notices that a program restricts its own system calls, or its reading of the clock. */
#ifndef KYMO_SANDBOX_H
#define KYMO_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a restriction that this process has set itself would end a recorded program, also another one after exec. */
extern bool ky_restriction_is_deadly;

/* If a system call is about to restrict the process, its recording ends first. */
void ky_look_at_restriction(long number, uint64_t first, uint64_t second, uint64_t third);

#endif
