#include "consequences.h"

#include <string.h>

#include "control.h"
#include "events/events.h"
#include "events/level.h"
#include "events/pattern.h"
#include "events/triggers.h"

/* Number of the event that a record is about; 0: none. */
static uint32_t event_of(const struct record *record) {
  bool event = record->id == RECORD_EVENT || record->id == RECORD_EVENT_DATA || record->id == RECORD_UNIT;
  return event ? record->payload : (uint32_t) record->argument;
}

uint8_t ky_state_of(const struct record *record) {
  uint32_t number = event_of(record);
  return number == 0 ? 1 : event_state(number);
}

/* The argument that triggers compare: the first eight bytes of the data. */
static uint64_t argument_of(const struct record *record) {
  uint64_t first = record->id == RECORD_EVENT ? record->argument : 0;
  if (record->id == RECORD_EVENT_DATA && record->length > 0) {
    memcpy(&first, record->data, record->length < sizeof first ? record->length : sizeof first);
  }
  if (record->id == RECORD_UNIT) {
    memcpy(&first, (const char *) record->data + 16, sizeof first);
  }
  return first;
}

bool ky_trigger(
    struct process *process, const struct record *record, struct consequences *consequences) {
  uint8_t state = ky_state_of(record); /* it may have changed, because the process may have joined just now */
  if (state != EVENT_MAY_TRIGGER) {
    return state != 0;
  }
  const struct event *event = ky_event_of(event_of(record));
  uint64_t argument = argument_of(record);
  for (struct trigger *trigger = process->triggers; trigger != NULL; trigger = trigger->next) {
    bool counts = ky_pattern_matches(trigger->pattern, event)
        && (trigger->action == START || !ky_paused);
    if (counts && ky_trigger_fires(trigger, argument)) {
      if (trigger->action == START) {
        ky_go_on(process);
      }
      consequences->stop |= trigger->action == STOP;
      consequences->snapshot |= trigger->action == SNAPSHOT;
    }
  }
  return ky_event_is_wanted(process, event);
}

void ky_follow(struct process *process, const struct consequences *consequences) {
  if (consequences->snapshot) {
    ky_snapshot(process);
  }
  if (consequences->stop) {
    ky_rest(process);
  }
}
