#include "triggers.h"

#include <stdlib.h>
#include <string.h>

#include "control.h"

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

/* Takes `disk.READ=42#3` apart, which kymo record has checked. */
static struct trigger *parse(enum action action, const char *text, size_t length) {
  struct trigger *trigger = ky_allocate(sizeof *trigger);
  char *pattern = trigger == NULL ? NULL : ky_copy(text, length);
  if (pattern == NULL) {
    return NULL;
  }
  *trigger = (struct trigger) {.action = action, .pattern = pattern};
  char *hash = strrchr(pattern, '#');
  if (hash != NULL) {
    *hash = 0;
    trigger->occurrence = strtoull(hash + 1, NULL, 10);
  }
  char *equals = strrchr(pattern, '=');
  if (equals != NULL) {
    *equals = 0;
    trigger->has_argument = true;
    trigger->argument = (uint64_t) strtoll(equals + 1, NULL, 0);
  }
  return trigger;
}

static struct trigger **add(struct trigger **link, enum action action, const char *lines) {
  while (*lines != 0) {
    size_t length = strcspn(lines, "\n");
    struct trigger *trigger = length == 0 ? NULL : parse(action, lines, length);
    if (trigger != NULL) {
      *link = trigger;
      link = &trigger->next;
    }
    lines += length + (lines[length] == '\n');
  }
  return link;
}

void ky_triggers_begin(struct process *process) {
  struct trigger **link = &process->triggers;
  link = add(link, START, process->session->start_on);
  link = add(link, STOP, process->session->stop_on);
  add(link, SNAPSHOT, process->session->snapshot_on);
}

bool ky_may_trigger(const struct process *process, const struct event *event) {
  const struct trigger *trigger = process->triggers;
  while (trigger != NULL && !ky_pattern_matches(trigger->pattern, event)) {
    trigger = trigger->next;
  }
  return trigger != NULL;
}

/* Whether this occurrence is the one; each that counts is counted. */
static bool fires(struct trigger *trigger, uint64_t argument) {
  if (trigger->has_argument && trigger->argument != argument) {
    return false;
  }
  uint64_t count = __atomic_add_fetch(&trigger->seen, 1, __ATOMIC_RELAXED);
  return trigger->occurrence == 0 || trigger->occurrence == count;
}

/* Number of the event that a record is about; 0 if it is about none. */
static uint32_t event_of(const struct record *record) {
  bool event = record->id == RECORD_EVENT || record->id == RECORD_EVENT_DATA || record->id == RECORD_UNIT;
  return event ? record->payload : (uint32_t) record->argument;
}

/* What triggers compare: the first eight bytes. */
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
  uint32_t number = event_of(record);
  if (number == 0) {
    return true;
  }
  uint8_t state = event_state(number); /* perhaps known since the process has joined just now */
  if (state != EVENT_MAY_TRIGGER) {
    return state != 0;
  }
  const struct event *event = ky_event_of(number);
  uint64_t argument = argument_of(record);
  for (struct trigger *trigger = process->triggers; trigger != NULL; trigger = trigger->next) {
    bool counts = ky_pattern_matches(trigger->pattern, event)
        && (trigger->action == START || !ky_paused);
    if (counts && fires(trigger, argument)) {
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
