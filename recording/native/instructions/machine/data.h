#ifndef KYMO_INSTRUCTIONS_DATA_H
#define KYMO_INSTRUCTIONS_DATA_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What somebody wants to know at chosen instructions, and which threads are ready to run whenever the kernel switches
 * to another one, while a machine is replayed. Each hit is a record: varint by how much the clock differs from the
 * record before, or the chunk's begin; varint number of the place, 0: a switch; varint the number of the kernel's
 * thread; u8 values; for each u8 what it is, and
 *
 *   0  varint      a number
 *   1  u8 length   a text, its bytes follow
 *   2              memory that is not there
 *
 * A value is made of words, as a stack has them: rN pushes a register, nHEX a number; + - * & take two numbers; uN and
 * iN (N: 1, 2, 4, 8) take an address and push what is there, unsigned or signed; t takes an address and is a text.
 */

/* A place with values; says what is wrong with it, NULL if nothing is. */
const char *ky_add_data(const char *address);

/* A value of the place that was added last; the same. */
const char *ky_add_value(const char *words);

/* The number of the first place at an address, 0 = there is none. */
unsigned ky_data_at(uint64_t address);

/* Whether a place may be at an address, or at another one where the same page of memory is. */
bool ky_may_be_data(uint64_t address);

/* An instruction begins at a place. It is not known yet whether it will be executed. */
void ky_data_reached(unsigned place, uint64_t clock, const uint64_t *registers);

/* The kernel switches to a thread, a task_struct. */
void ky_replay_switch(uint64_t clock, uint64_t task, bool ready);

/* The instruction with this clock was not executed, and will begin again. */
void ky_data_failed(uint64_t clock);

/* The machine ends: what was not written yet is. */
void ky_end_data(void);

#endif
