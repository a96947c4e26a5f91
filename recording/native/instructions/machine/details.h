#ifndef KYMO_INSTRUCTIONS_DETAILS_H
#define KYMO_INSTRUCTIONS_DETAILS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What each instruction of a range begins with, and which memory it uses, while a machine is replayed.
 *
 * Registers: a record for each instruction: u16, whose bit N says that register N differs from the record before, or
 * from 0 at the chunk's begin; for each such register `signed`, the difference.
 *
 * Memory: a record for each access: varint by how much the clock differs from the record before, or the chunk's begin;
 * u8, in bits 0 to 2 the binary logarithm of its bytes, in bit 3 whether it is a store; `signed` by how much the address
 * differs from the record before, or 0; varint value, and if it has 16 bytes varint the upper half.
 */

/* What is wanted, of instructions from one number up to, not including, another one. */
struct wishes {
  uint64_t from;
  uint64_t to;
  bool registers;
  bool memory;
};

void ky_begin_details(const struct wishes *wishes);

/* Whether a block that begins at this clock has instructions of the range. */
bool ky_in_range(uint64_t clock, unsigned instructions);

/* An instruction begins. It is not known yet whether it will be executed. */
void ky_instruction_begins(uint64_t clock, const uint64_t *registers);

/* It has used memory. */
void ky_memory_used(uint64_t address, unsigned logarithm, bool store, uint64_t low, uint64_t high);

/* It was not executed, and will begin again. */
void ky_instruction_failed(void);

/* The machine ends: what was not written yet is. */
void ky_end_details(void);

/* Whether all of the range has been executed. */
bool ky_is_range_over(uint64_t clock);

#endif
