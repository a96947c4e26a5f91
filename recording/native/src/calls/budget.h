/* Limits what recording costs each thread, by the rules of docs/budget.md, which also hold for Java methods: functions
 * whose events cost a thread too much are counted instead. */
#ifndef KYMO_BUDGET_H
#define KYMO_BUDGET_H

#include <stdint.h>

#include "shared/ring.h"

/* The owner of a ring has closed a packet. If its records cost too much, functions in it are counted from now on.
 * Within a guard, by the owner, before the next packet is opened. */
void ky_budget_packet(struct process *process, struct ring *ring, uint64_t now);

/* Looks at what is counted: functions that still cost too much, and functions that have calmed down. A few times a
 * second, by one thread, within a guard. */
void ky_budget_look(struct process *process);

/* There is no memory to count in this slot: its function is recorded as events again. Within a guard. */
void ky_budget_uncountable(struct process *process, uint32_t slot);

#endif
