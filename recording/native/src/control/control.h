/* Whether and how much of this process is recorded: what the program, `kymo ctl` and triggers change. A
 * child made by fork goes on as its parent was. */
#ifndef KYMO_CONTROL_H
#define KYMO_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* Levels, as the class Level of recorder/ has them. */
enum { LEVEL_CALLS = 1, LEVEL_EVENTS = 2, LEVEL_ALL = 3 };

/* Whether nothing is to be recorded for now. */
extern bool ky_paused;

/* What is to be recorded when not. */
extern uint8_t ky_level;

/* Says something of this process in the recording; within a guard. */
void ky_notice(struct process *process, const char *text);

/* A process joins. */
void ky_control_begin(struct process *process, bool forked);

/* Whether calls of functions are to be recorded now. */
static inline bool ky_calls_are_wanted(void) {
  return !ky_paused && (ky_level & LEVEL_CALLS) != 0;
}

/* All within a guard. What is to be recorded changes: ky_events_show() is called. */
void ky_go_on(struct process *process);
void ky_rest(struct process *process);
void ky_rest_saying(struct process *process, const char *text);
void ky_change_level(struct process *process, uint8_t level);

/* Asks for a snapshot of the flight recorder. */
void ky_snapshot(struct process *process);

/* Waits until all that was committed is in the files; false if nobody takes it. */
bool ky_flush(struct process *process);

/* Rests if the time is over for which a trigger began the recording; nanoseconds until it will be. */
uint64_t ky_limit_time(struct process *process);

#endif
