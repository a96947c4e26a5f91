/* The events that the program has defined. Events count down from the largest number; numbers are given
 * once in the life of a process, and of those that it forks. */
#ifndef KYMO_EVENTS_H
#define KYMO_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kymo.h"
#include "process.h"

struct subsystem {
  struct subsystem *next;
  uint32_t number;
  uint16_t id;
  const char *name;
  const char *category;
  const char *color;
};

struct event {
  struct event *next; /* in the order of definition */
  struct event *next_in_bucket;
  struct subsystem *subsystem;
  uint32_t hash;
  uint32_t number;
  uint16_t id;
  int kind;
  const char *name;
  const char *begin;
  const char *description;
  const char *fields;
};

bool ky_events_init(void);

/* A recording begins, and is told of all events; NULL: it is over. */
void ky_events_begin(struct process *process);

/* Whether this may be a handler of a signal that interrupted anything, in a child made by fork: then
 * signals are blocked that were not when the child was made. */
bool ky_may_be_handler(const struct guard *guard);

/* Has the program see what is to be recorded now: everything, or nothing while the process pauses. */
void ky_events_show(struct process *process);

/* Switches the events that a pattern means, and those to come; how many there are. */
uint32_t ky_events_switch(struct process *process, const char *pattern, bool on);

/* Says which events are on. */
struct answer;
void ky_events_list(struct process *process, struct answer *answer);

/* Whether an event is to be recorded now, asked anew. */
bool ky_event_is_wanted(struct process *process, const struct event *event);

/* A state that is no ring's generation: what happens then is found out off the fast path. */
enum { EVENT_MAY_TRIGGER = UINT8_MAX };

extern uint8_t ky_event_states[KYMO_MOST_EVENTS];

/* As the recording's `generation` while an event is to be recorded, else 0, or EVENT_MAY_TRIGGER. */
static inline uint8_t event_state(uint32_t number) {
  uint32_t place = UINT32_C(0xFFFFFF) - number;
  return place < KYMO_MOST_EVENTS ? __atomic_load_n(&ky_event_states[place], __ATOMIC_RELAXED) : 0;
}

/* Number of the event that began what this one ends; 0 if it was never defined. */
uint32_t ky_event_begin(uint32_t number);

/* The event with a number that is in use. */
const struct event *ky_event_of(uint32_t number);

/* Whether a pattern is meant to match an event: `disk`, `disk.ALLOC`, `category:I/O`, `kind:counter`. */
bool ky_pattern_matches(const char *pattern, const struct event *event);

/* Whether it is one; if not, the answer says why. */
bool ky_is_pattern(const char *pattern, struct answer *answer);

/* Whether any of these lines does. */
bool ky_any_matches(const char *patterns, const struct event *event);

/* Whether a function is to be recorded, by its symbol: it matches a pattern as it is or, of C++, as far as
 * its qualified name has no template arguments. */
bool ky_function_is_wanted(const struct session *session, const char *symbol);

#endif
