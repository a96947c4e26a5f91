/* Rules decide which events are on: first those of the session, then those given while the process runs. The last rule
 * that matches an event counts. All under the lock of the events. */
#ifndef KYMO_RULES_H
#define KYMO_RULES_H

#include <stdbool.h>

#include "event.h"
#include "shared/process.h"

/* Forgets the rules that were given while the process ran. */
void ky_rules_forget(void);

/* Adds a rule as the last one and forgets an earlier rule with the same pattern. False if there is no memory for it. */
bool ky_rules_add(const char *pattern, bool on);

bool ky_rules_allow(const struct process *process, const struct event *event);

#endif
