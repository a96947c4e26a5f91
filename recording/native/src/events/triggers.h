/* Triggers: events that start or stop the recording, or make the flight recorder write a snapshot; the class Trigger of
 * recorder/ describes their syntax. An event that may trigger has the state EVENT_MAY_TRIGGER, which no ring has. So it
 * takes the slow path, and other events cost nothing more. */
#ifndef KYMO_TRIGGERS_H
#define KYMO_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "shared/process.h"

enum action { START, STOP, SNAPSHOT };

struct trigger {
  struct trigger *next;
  enum action action;
  const char *pattern;
  bool has_argument;
  uint64_t argument;
  uint64_t occurrence; /* 0: each */
  uint64_t seen;
};

/* Takes the triggers from the session. */
void ky_triggers_begin(struct process *process);

bool ky_may_trigger(const struct process *process, const struct event *event);

/* Counts an occurrence with this argument, if the trigger asks for it; returns whether it is the one that fires. */
bool ky_trigger_fires(struct trigger *trigger, uint64_t argument);

#endif
