/* What recording may cost each thread, by the rules of docs/budget.md, which are those for Java methods:
 * functions whose events cost a thread more are counted instead. */
#ifndef KYMO_BUDGET_H
#define KYMO_BUDGET_H

#include <stdint.h>

#include "ring.h"

/* The owner of a ring has closed a packet; if its records cost too much, functions in it are counted from
 * now on. Within a guard, by the owner, before the next packet is opened. */
void ky_budget_packet(struct process *process, struct ring *ring, uint64_t now);

/* Looks at what is counted: what costs too much even so, and what has calmed down. Some times a second, by
 * one thread, within a guard. */
void ky_budget_look(struct process *process);

/* There is no memory to count in this slot: its function is events again. Within a guard. */
void ky_budget_uncountable(struct process *process, uint32_t slot);

#endif
