#include "events.h"

#include <string.h>

#include "base/answer.h"
#include "base/guest.h"
#include "base/private.h"
#include "level.h"
#include "pattern.h"
#include "rules.h"
#include "shared/definitions.h"
#include "triggers.h"

enum { BUCKETS = 4096 };

uint8_t ky_event_states[KYMO_MOST_EVENTS];
unsigned char *kymo_event_states_ = ky_event_states;
unsigned char kymo_recording_;

static struct lock *lock; /* in memory that a fork zeroes */
static struct subsystem *subsystems;
static uint32_t subsystem_count;
static struct event *first_event;
static struct event **end_of_events = &first_event;
static uint32_t event_count;
static struct event *event_of_place[KYMO_MOST_EVENTS];
static struct event *buckets[BUCKETS]; /* read without the lock */
static uint32_t begins[KYMO_MOST_EVENTS]; /* number of the begin, by place; 0: not known */

static uint32_t place_of(uint32_t number) {
  return MAX_PAYLOAD - number;
}

const struct event *ky_event_of(uint32_t number) {
  return event_of_place[place_of(number)];
}

static uint32_t hashed(uint32_t hash, const char *text) {
  do {
    hash = (hash ^ (uint8_t) *text) * UINT32_C(16777619);
  } while (*text++ != 0);
  return hash;
}

static bool same_group(const struct subsystem *a, const struct subsystem *b) {
  return a->id == b->id && strcmp(a->name, b->name) == 0 && strcmp(a->category, b->category) == 0
      && strcmp(a->color, b->color) == 0;
}

static bool same_event(const struct event *a, const struct event *b) {
  return a->hash == b->hash && a->id == b->id && a->kind == b->kind && strcmp(a->name, b->name) == 0
      && strcmp(a->fields, b->fields) == 0 && strcmp(a->begin, b->begin) == 0
      && strcmp(a->description, b->description) == 0 && same_group(a->subsystem, b->subsystem);
}

static struct event *find(const struct event *wanted) {
  struct event *event = __atomic_load_n(&buckets[wanted->hash % BUCKETS], __ATOMIC_ACQUIRE);
  while (event != NULL && !same_event(event, wanted)) {
    event = event->next_in_bucket;
  }
  return event;
}

static void define_subsystem(struct process *process, const struct subsystem *subsystem) {
  struct definition *definition = ky_definition_begin(process, DEFINITION_SUBSYSTEM);
  ky_definition_u32(definition, subsystem->number);
  ky_definition_u32(definition, subsystem->id);
  ky_definition_string(definition, subsystem->name);
  ky_definition_string(definition, subsystem->category);
  ky_definition_string(definition, subsystem->color);
  ky_definition_put(process, definition);
}

static void define_event(struct process *process, const struct event *event) {
  struct definition *definition = ky_definition_begin(process, DEFINITION_EVENT);
  ky_definition_u32(definition, event->number);
  ky_definition_u32(definition, event->subsystem->number);
  ky_definition_u32(definition, event->id);
  ky_definition_u32(definition, (uint32_t) event->kind);
  ky_definition_string(definition, event->name);
  ky_definition_string(definition, event->description);
  ky_definition_string(definition, event->fields);
  ky_definition_put(process, definition);
}

static bool is_wanted(const struct process *process, const struct event *event) {
  return process != NULL && !ky_paused && (ky_level & LEVEL_EVENTS) != 0
      && ky_rules_allow(process, event);
}

bool ky_event_is_wanted(struct process *process, const struct event *event) {
  ky_lock(lock, EVENTS_LOCK);
  bool wanted = is_wanted(process, event);
  ky_unlock(lock, EVENTS_LOCK);
  return wanted;
}

static void show(const struct process *process, const struct event *event) {
  bool triggers = process != NULL && ky_may_trigger(process, event);
  uint8_t on = is_wanted(process, event) ? process->generation : 0;
  __atomic_store_n(&ky_event_states[place_of(event->number)], triggers ? EVENT_MAY_TRIGGER : on,
      __ATOMIC_RELEASE);
}

void ky_events_begin(struct process *process) {
  ky_lock(lock, EVENTS_LOCK);
  for (struct subsystem *s = subsystems; process != NULL && s != NULL; s = s->next) {
    define_subsystem(process, s);
  }
  for (struct event *event = first_event; event != NULL; event = event->next) {
    if (process != NULL) {
      define_event(process, event);
    }
    show(process, event);
  }
  __atomic_store_n(&kymo_recording_, process != NULL, __ATOMIC_RELEASE);
  ky_unlock(lock, EVENTS_LOCK);
}

void ky_events_show(struct process *process) {
  ky_lock(lock, EVENTS_LOCK);
  for (struct event *event = first_event; event != NULL; event = event->next) {
    show(process, event);
  }
  ky_unlock(lock, EVENTS_LOCK);
}

uint32_t ky_events_switch(struct process *process, const char *pattern, bool on) {
  uint32_t count = 0;
  ky_lock(lock, EVENTS_LOCK);
  ky_rules_add(pattern, on);
  for (struct event *event = first_event; event != NULL; event = event->next) {
    count += ky_pattern_matches(pattern, event);
    show(process, event);
  }
  ky_unlock(lock, EVENTS_LOCK);
  return count;
}

void ky_events_list(struct process *process, struct answer *answer) {
  ky_lock(lock, EVENTS_LOCK);
  for (uint32_t place = answer->from; place < event_count && answer->next == 0; place++) {
    const struct event *event = event_of_place[place];
    bool on = ky_rules_allow(process, event);
    if (!ky_say_to(answer, "%s %.500s.%.500s\n", on ? "on" : "off", event->subsystem->name,
            event->name)) {
      answer->next = place;
    }
  }
  ky_unlock(lock, EVENTS_LOCK);
}

static struct subsystem *subsystem_like(struct process *process, const struct subsystem *wanted) {
  struct subsystem *subsystem = subsystems;
  while (subsystem != NULL && !same_group(subsystem, wanted)) {
    subsystem = subsystem->next;
  }
  if (subsystem != NULL) {
    return subsystem;
  }
  subsystem = ky_allocate(sizeof *subsystem);
  if (subsystem == NULL) {
    return NULL;
  }
  *subsystem = *wanted;
  subsystem->name = ky_copy(wanted->name, strlen(wanted->name));
  subsystem->category = ky_copy(wanted->category, strlen(wanted->category));
  subsystem->color = ky_copy(wanted->color, strlen(wanted->color));
  if (subsystem->name == NULL || subsystem->category == NULL || subsystem->color == NULL) {
    return NULL;
  }
  subsystem->number = ++subsystem_count;
  subsystem->next = subsystems;
  subsystems = subsystem;
  if (process != NULL) {
    define_subsystem(process, subsystem);
  }
  return subsystem;
}

static struct event *copy(const struct event *wanted) {
  struct event *event = ky_allocate(sizeof *event);
  if (event == NULL) {
    return NULL;
  }
  *event = *wanted;
  event->name = ky_copy(wanted->name, strlen(wanted->name));
  event->begin = ky_copy(wanted->begin, strlen(wanted->begin));
  event->description = ky_copy(wanted->description, strlen(wanted->description));
  event->fields = ky_copy(wanted->fields, strlen(wanted->fields));
  bool whole = event->name != NULL && event->begin != NULL && event->description != NULL
      && event->fields != NULL;
  return whole ? event : NULL;
}

/* Links an end with its begin, or a begin with its ends. */
static void pair(struct event *event) {
  for (struct event *other = first_event; other != NULL; other = other->next) {
    struct event *begin = event->kind == KYMO_BEGIN ? event : other;
    struct event *end = event->kind == KYMO_BEGIN ? other : event;
    if (begin->kind == KYMO_BEGIN && end->kind == KYMO_END && begin->subsystem == end->subsystem
        && strcmp(begin->name, end->begin) == 0) {
      __atomic_store_n(&begins[place_of(end->number)], begin->number, __ATOMIC_RELAXED);
    }
  }
}

/* Adds an event. Its definition is in the recording before any thread can record it. */
static struct event *add(const struct event *wanted) {
  static bool said;
  if (event_count == KYMO_MOST_EVENTS) {
    if (!said) {
      said = true;
      ky_say("too many events, the further ones are not recorded: event=%s.%s most=%u; define fewer",
          wanted->subsystem->name, wanted->name, KYMO_MOST_EVENTS);
    }
    return NULL;
  }
  struct process *process = ky_process;
  process = process == NULL || process->number == 0 || process->stopped ? NULL : process;
  struct subsystem *subsystem = subsystem_like(process, wanted->subsystem);
  struct event *event = subsystem == NULL ? NULL : copy(wanted);
  if (event == NULL) {
    return NULL;
  }
  event->subsystem = subsystem;
  event->number = MAX_PAYLOAD - event_count;
  event_of_place[event_count++] = event;
  *end_of_events = event;
  end_of_events = &event->next;
  if (event->kind == KYMO_BEGIN || event->kind == KYMO_END) {
    pair(event);
  }
  if (process != NULL) {
    define_event(process, event);
    show(process, event);
  } else if (ky_process != NULL && !ky_process->stopped) { /* a forked child joins at its first event */
    __atomic_store_n(
        &ky_event_states[place_of(event->number)], EVENT_MAY_TRIGGER, __ATOMIC_RELEASE);
  }
  struct event **bucket = &buckets[event->hash % BUCKETS];
  event->next_in_bucket = *bucket;
  __atomic_store_n(bucket, event, __ATOMIC_RELEASE);
  return event;
}

static const char *text(const char *given) {
  return given == NULL ? "" : given;
}

uint32_t (kymo_event_define)(const char *subsystem, uint16_t subsystem_id, const char *category,
    const char *color, uint16_t id, const char *name, int kind, const char *begin,
    const char *description, const char *fields) {
  if (!__atomic_load_n(&kymo_recording_, __ATOMIC_ACQUIRE)) {
    return 0;
  }
  struct subsystem group = {NULL, 0, subsystem_id, text(subsystem), text(category), text(color)};
  struct event wanted = {NULL, NULL, &group, 0, 0, id, kind, text(name), text(begin),
      text(description), text(fields)};
  wanted.hash = hashed(hashed(UINT32_C(2166136261), group.name), wanted.name);
  struct event *event = find(&wanted);
  if (event == NULL) {
    struct guard guard;
    ky_guard_begin(&guard);
    ky_lock(lock, EVENTS_LOCK);
    event = find(&wanted);
    if (event == NULL) {
      event = add(&wanted);
    }
    ky_unlock(lock, EVENTS_LOCK);
    ky_guard_end(&guard);
  }
  return event == NULL ? 0 : event->number;
}

int (kymo_event_on)(uint32_t number) {
  return event_state(number) != 0;
}

uint32_t ky_event_begin(uint32_t number) {
  return __atomic_load_n(&begins[place_of(number)], __ATOMIC_RELAXED);
}

void ky_events_lock(void) {
  ky_lock(lock, EVENTS_LOCK);
}

void ky_events_unlock(void) {
  ky_unlock(lock, EVENTS_LOCK);
}

bool ky_events_init(void) {
  lock = ky_private_memory(sizeof *lock);
  return lock != NULL;
}
