/* A thread that checks whether to stop, obeys `kymo ctl`, and keeps thread names and clock pairs up to date. It handles
 * no signals. It ends when it is the only thread left, because a process ends with its last thread. */
#ifndef KYMO_HOUSEKEEPER_H
#define KYMO_HOUSEKEEPER_H

#include "shared/process.h"

/* Starts the thread, which performs non-urgent work. Not in a signal handler. */
void ky_start_housekeeper(struct process *process);

/* Ends the thread and waits for its end. */
void ky_dismiss_housekeeper(struct process *process);

/* For what only a process with one thread may do: ends the thread, and starts it again. Within a guard. The first
 * returns whether there was one, and then the kernel knows no more of it. */
bool ky_send_housekeeper_away(struct process *process);
void ky_call_housekeeper_back(struct process *process);

/* Leaves the recording; a process that has not joined yet will not join. Within a guard. */
void ky_leave(struct process *process);

#endif
