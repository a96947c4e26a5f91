#include "rules.h"

#include <string.h>

#include "base/guest.h"
#include "pattern.h"

struct rule {
  struct rule *next;
  const char *pattern;
  bool on;
};

static struct rule *rules; /* the oldest first; complete at any time, because a child may be made at any time */

void ky_rules_forget(void) {
  rules = NULL;
}

bool ky_rules_add(const char *pattern, bool on) {
  struct rule **link = &rules;
  while (*link != NULL && strcmp((*link)->pattern, pattern) != 0) {
    link = &(*link)->next;
  }
  struct rule *rule = *link;
  if (rule != NULL) {
    *link = rule->next;
  } else {
    rule = ky_allocate(sizeof *rule);
    const char *kept = rule == NULL ? NULL : ky_copy(pattern, strlen(pattern));
    if (kept == NULL) {
      return false;
    }
    rule->pattern = kept;
  }
  rule->next = NULL;
  rule->on = on;
  while (*link != NULL) {
    link = &(*link)->next;
  }
  *link = rule;
  return true;
}

bool ky_rules_allow(const struct process *process, const struct event *event) {
  bool on = !ky_any_matches(process->session->disabled, event);
  for (const struct rule *rule = rules; rule != NULL; rule = rule->next) {
    if (ky_pattern_matches(rule->pattern, event)) {
      on = rule->on;
    }
  }
  return on;
}
