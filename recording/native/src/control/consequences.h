/* The effects of triggers: see events/triggers.h. */
#ifndef KYMO_CONSEQUENCES_H
#define KYMO_CONSEQUENCES_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/ring.h"

/* What is to be done after an event has been recorded. */
struct consequences {
  bool stop;
  bool snapshot;
};

/* What state the event of a record has: see event_state(); some state that is on if the record is about none. */
uint8_t ky_state_of(const struct record *record);

/* Handles a record before it is written: its event may be a trigger, which may start the recording. Returns whether the
 * record is wanted. Within a guard. */
bool ky_trigger(
    struct process *process, const struct record *record, struct consequences *consequences);

/* Does what is to be done after the record. Within a guard. */
void ky_follow(struct process *process, const struct consequences *consequences);

#endif
