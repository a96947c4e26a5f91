/* Joining and leaving happen under one lock; this file has the lock, and leaving. */
#ifndef KYMO_MEMBERSHIP_H
#define KYMO_MEMBERSHIP_H

#include <stdbool.h>

#include "shared/process.h"

/* Once, before all others; false if there is no memory. */
bool ky_membership_init(void);

void ky_membership_lock(void);
void ky_membership_unlock(void);

/* Ends the recording of this process. Within a guard. */
void ky_end(struct process *process);

/* Reports that the process ends; more may still be recorded. Within a guard. */
void ky_say_ended(struct process *process);

#endif
