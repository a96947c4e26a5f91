#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "events.h"

enum { LONGEST = 1024 };

/* Whether a name is like a pattern in which * stands for anything, and nothing else is special. */
static bool like(const char *pattern, const char *name) {
  while (*pattern != '*') {
    if (*pattern != *name) {
      return false;
    }
    if (*pattern == 0) {
      return true;
    }
    pattern++;
    name++;
  }
  for (;; name++) {
    if (like(pattern + 1, name)) {
      return true;
    }
    if (*name == 0) {
      return false;
    }
  }
}

static const char *after(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static const char *const kinds[] = {"instant", "begin", "end", "counter", "send", "receive"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool is_kind(const char *name, int kind) {
  return kind >= 0 && kind < KINDS && strcasecmp(kinds[kind], name) == 0;
}

bool ky_is_pattern(const char *pattern, struct answer *answer) {
  const char *kind = after(pattern, "kind:");
  if (*pattern == 0) {
    ky_say_to(answer, "error: no event is named");
    return false;
  }
  for (int i = 0; kind != NULL && i < KINDS; i++) {
    if (is_kind(kind, i)) {
      return true;
    }
  }
  if (kind != NULL) {
    ky_say_to(answer, "error: no such kind of events: kind=%.200s; there are", kind);
    for (int i = 0; i < KINDS; i++) {
      ky_say_to(answer, "%s %s", i == 0 ? "" : ",", kinds[i]);
    }
  }
  return kind == NULL;
}

bool ky_pattern_matches(const char *pattern, const struct event *event) {
  const char *kind = after(pattern, "kind:");
  if (kind != NULL) {
    return is_kind(kind, event->kind);
  }
  const char *category = after(pattern, "category:");
  if (category != NULL) {
    return like(category, event->subsystem->category);
  }
  char name[LONGEST];
  snprintf(name, sizeof name, "%s.%s", event->subsystem->name, event->name);
  return like(pattern, name) || like(pattern, event->subsystem->name);
}
