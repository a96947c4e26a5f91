/* Which events are on: what the session says, and what was said while the process runs. The last word
 * about an event counts. All under the lock of the events. */
#ifndef KYMO_RULES_H
#define KYMO_RULES_H

#include <stdbool.h>

#include "events.h"

/* Nothing was said while it runs. */
void ky_rules_forget(void);

/* The last word about what a pattern means; what was said of the same before is forgotten. False if there
 * is no memory for it. */
bool ky_rules_add(const char *pattern, bool on);

bool ky_rules_allow(const struct process *process, const struct event *event);

#endif
