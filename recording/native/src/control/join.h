/* How this process joins a recording. */
#ifndef KYMO_JOIN_H
#define KYMO_JOIN_H

#include <stdbool.h>

#include "base/guest.h"
#include "shared/process.h"

/* The process if it is being recorded, otherwise NULL; a child made by fork joins here. Within the guard, from which it
 * sees whether this may be a signal handler. */
struct process *ky_joined(const struct guard *guard);

/* Joins the session that the environment names, if it names one. Within a guard. */
bool ky_join(void);

/* Called before a child is made. A program that makes many children and has not joined itself does once what each child
 * would do again, such as reading the session and the program's symbols. Within a guard. */
void ky_foresee_children(void);

/* Prepares the process to join at its first event, like a child made by fork. */
void ky_join_later(void);

#endif
