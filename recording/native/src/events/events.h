/* The events that the program has defined. Their numbers count down from the largest payload; a number is given only
 * once in the life of a process and of its forked children. */
#ifndef KYMO_EVENTS_H
#define KYMO_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "kymo.h"
#include "shared/process.h"

/* Once, before all others; false if there is no memory. */
bool ky_events_init(void);

/* For fork: no other thread changes the events while a child is made, so they are complete in the child. */
void ky_events_lock(void);
void ky_events_unlock(void);

/* A recording begins: all events are defined in it. NULL: the recording is over. */
void ky_events_begin(struct process *process);

/* Updates which events the program records: none while the process pauses. */
void ky_events_show(struct process *process);

/* Switches the events that match a pattern, also future ones; returns how many match now. */
uint32_t ky_events_switch(struct process *process, const char *pattern, bool on);

/* Lists which events are on. */
struct answer;
void ky_events_list(struct process *process, struct answer *answer);

/* Whether an event is to be recorded now, without the cached state. */
bool ky_event_is_wanted(struct process *process, const struct event *event);

/* A state that is not a ring's generation, so the slow path decides what happens. */
enum { EVENT_MAY_TRIGGER = UINT8_MAX };

extern uint8_t ky_event_states[KYMO_MOST_EVENTS];

/* The recording's generation while an event is recorded, 0 if it is not, or EVENT_MAY_TRIGGER. */
static inline uint8_t event_state(uint32_t number) {
  uint32_t place = UINT32_C(0xFFFFFF) - number;
  return place < KYMO_MOST_EVENTS ? __atomic_load_n(&ky_event_states[place], __ATOMIC_RELAXED) : 0;
}

/* Number of the event that begins what this event ends; 0 if it was never defined. */
uint32_t ky_event_begin(uint32_t number);

/* The event with a number, which must be in use. */
const struct event *ky_event_of(uint32_t number);

#endif
