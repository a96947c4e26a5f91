/* What this process knows of the recorder. */
#ifndef KYMO_RECORDER_H
#define KYMO_RECORDER_H

#include <stdbool.h>

struct process;

/* Waits a moment for the recorder; false if the recorder has stopped or is gone. */
bool ky_await_recorder(struct process *process);

/* Whether the recorder wants this process to stop, or is gone. */
bool ky_stop_requested(struct process *process);

/* Asks the recorder to let this process, which has become another user, use its part of the shared memory; false if the
 * recorder refuses. Within a guard. */
bool ky_ask_for_home(struct process *process);

#endif
