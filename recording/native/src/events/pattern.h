/* Patterns that select events and functions. */
#ifndef KYMO_PATTERN_H
#define KYMO_PATTERN_H

#include <stdbool.h>

#include "base/answer.h"
#include "base/session.h"
#include "event.h"

/* Whether an event matches a pattern: `disk`, `disk.ALLOC`, `category:I/O`, `kind:counter`. */
bool ky_pattern_matches(const char *pattern, const struct event *event);

/* Whether a text is a pattern; if it is not, the answer says why. */
bool ky_is_pattern(const char *pattern, struct answer *answer);

/* Whether an event matches any of these lines. */
bool ky_any_matches(const char *patterns, const struct event *event);

/* Whether a function is to be recorded. Patterns match its symbol or, in C++, its qualified name up to the first
 * template argument. */
bool ky_function_is_wanted(const struct session *session, const char *symbol);

#endif
