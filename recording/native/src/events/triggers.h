/* Events that begin or end the recording, or have the flight recorder write a snapshot; Trigger of
 * recorder/ says what they are called. An event that may be one has the state EVENT_MAY_TRIGGER, which no
 * ring has: so each of them comes to the slow path, and the others do not notice. */
#ifndef KYMO_TRIGGERS_H
#define KYMO_TRIGGERS_H

#include <stdbool.h>

#include "events.h"
#include "ring.h"

/* Takes them from the session. */
void ky_triggers_begin(struct process *process);

bool ky_may_trigger(const struct process *process, const struct event *event);

/* What is to be done when an event was recorded. */
struct consequences {
  bool stop;
  bool snapshot;
};

/* Something happens that may trigger: begins the recording if that is so. Whether the record is wanted;
 * within a guard. */
bool ky_trigger(
    struct process *process, const struct record *record, struct consequences *consequences);

/* Does the rest; within a guard. */
void ky_follow(struct process *process, const struct consequences *consequences);

#endif
