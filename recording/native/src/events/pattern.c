#include "pattern.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "kymo.h"

enum { LONGEST = 1024, LONGEST_PATTERN = 512 };

/* Whether a name matches a pattern in which * stands for any text and no other character is special. */
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

#define WORD(constant, word) [KYMO_##constant] = word,
static const char *const kinds[] = {EVENT_KINDS(WORD)};
#undef WORD
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

/* Takes the next line; false if there is none. */
static bool next_line(const char **lines, char *line, size_t size) {
  size_t length = strcspn(*lines, "\n");
  size_t kept = length < size ? length : size - 1;
  bool more = **lines != 0;
  memcpy(line, *lines, kept);
  line[kept] = 0;
  *lines += length + ((*lines)[length] == '\n');
  return more;
}

bool ky_any_matches(const char *patterns, const struct event *event) {
  char line[LONGEST_PATTERN];
  while (next_line(&patterns, line, sizeof line)) {
    if (line[0] != 0 && ky_pattern_matches(line, event)) {
      return true;
    }
  }
  return false;
}

static size_t append(char *to, size_t length, const char *text, size_t size) {
  size_t room = LONGEST - 1 - length;
  size_t kept = size < room ? size : room;
  memcpy(to + length, text, kept);
  to[length + kept] = 0;
  return length + kept;
}

/* Extracts the qualified name from a mangled one, up to the first part that is not a name; false if the symbol is not
 * mangled. */
static bool qualified(const char *symbol, char *to) {
  const char *from = after(symbol, "_Z");
  size_t length = 0;
  to[0] = 0;
  if (from == NULL) {
    return false;
  }
  from += *from == 'L';
  bool nested = *from == 'N';
  from += nested;
  from += strspn(from, "rVKRO");
  if (from[0] == 'S' && from[1] == 't') {
    length = append(to, 0, "std", 3);
    from += 2;
    nested = true;
  }
  while (isdigit((unsigned char) *from)) {
    char *name;
    size_t size = strtoul(from, &name, 10);
    if (size > strlen(name)) {
      return false;
    }
    length = append(to, length, "::", length > 0 ? 2 : 0);
    length = append(to, length, name, size);
    from = name + size;
    if (!nested) {
      break;
    }
  }
  return length > 0;
}

static bool any_like(const char *patterns, const char *symbol) {
  char line[LONGEST_PATTERN];
  char name[LONGEST];
  bool mangled = qualified(symbol, name);
  while (next_line(&patterns, line, sizeof line)) {
    if (line[0] != 0 && (like(line, symbol) || (mangled && like(line, name)))) {
      return true;
    }
  }
  return false;
}

bool ky_function_is_wanted(const struct session *session, const char *symbol) {
  bool included = session->include[0] == 0 || any_like(session->include, symbol);
  return included && !any_like(session->exclude, symbol);
}
