#include "triggers.h"

#include <stdlib.h>
#include <string.h>

#include "base/guest.h"
#include "pattern.h"

/* Parses a text such as `disk.READ=42#3`, which kymo record has checked. */
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

bool ky_trigger_fires(struct trigger *trigger, uint64_t argument) {
  if (trigger->has_argument && trigger->argument != argument) {
    return false;
  }
  uint64_t count = __atomic_add_fetch(&trigger->seen, 1, __ATOMIC_RELAXED);
  return trigger->occurrence == 0 || trigger->occurrence == count;
}
