/* Starts and stops recording, for the program, `kymo ctl` and triggers. A child made by fork begins with its parent's
 * state. */
#ifndef KYMO_CONTROL_H
#define KYMO_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* A process joins. */
void ky_control_begin(struct process *process, bool forked);

/* These change what is recorded, and update hooks and events. All within a guard. */
void ky_go_on(struct process *process);
void ky_rest(struct process *process);
void ky_rest_saying(struct process *process, const char *text);
void ky_change_level(struct process *process, uint8_t level);

/* Asks the flight recorder for a snapshot. */
void ky_snapshot(struct process *process);

/* Waits until all committed records are in the files; false if the recorder does not answer. */
bool ky_flush(struct process *process);

/* Stops recording when the time that a trigger has started is over; returns the nanoseconds until then. */
uint64_t ky_limit_time(struct process *process);

#endif
