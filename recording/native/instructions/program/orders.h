#ifndef KYMO_INSTRUCTIONS_ORDERS_H
#define KYMO_INSTRUCTIONS_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether instructions are recorded, as `kymo ctl` says, or whoever meets the fault that ends recording: a word that all
 * processes of the recording share. A thread waits for it to change, so orders have effect in a loop without system
 * calls, and cost such a loop nothing.
 */

/* Which order is followed; programs that this one starts begin with it. */
extern uint32_t ky_order;

/* Begins the thread, which calls `follow` for each new order. In a child made by fork it has to be begun again. */
void ky_follow_orders(void (*follow)(bool on));

/* Ends recording for good. Returns whether nobody has done that before. */
bool ky_give_last_order(void);

/* Whether recording has ended for good. */
bool ky_had_last_order(void);

#endif
