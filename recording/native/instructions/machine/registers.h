#ifndef KYMO_INSTRUCTIONS_REGISTERS_H
#define KYMO_INSTRUCTIONS_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The registers before each instruction of a range, while a machine is replayed. Chunks have a record for each
 * instruction: u16, whose bit N says that register N differs from the record before, or from 0 at the chunk's begin;
 * for each such register `signed`, the difference.
 */

/* Instructions from one number up to, not including, another one. */
void ky_begin_registers(uint64_t from, uint64_t to);

/* Whether a block that begins at this clock has instructions of the range. */
bool ky_in_range(uint64_t clock, unsigned instructions);

/* An instruction begins. It is not known yet whether it will be executed. */
void ky_instruction_begins(uint64_t clock, const uint64_t *registers);

/* It was not, and will begin again. */
void ky_instruction_failed(void);

/* The machine ends: what was not written yet is. */
void ky_end_registers(void);

/* Whether all of the range has been written. */
bool ky_is_range_written(uint64_t clock);

#endif
