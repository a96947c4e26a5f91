#ifndef KYMO_INSTRUCTIONS_PROCESSOR_H
#define KYMO_INSTRUCTIONS_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "../blocks.h"
#include "entries.h"

/* What a block is: flags of its own. */
enum { IS_ENTRY = 1, IS_SYSCALL = 2, IS_USER = 4 };

/* What QEMU's code writes for the one processor, and callbacks read. */
struct shared_with_code {
  uint64_t begun;  /* number of the instruction that was begun last, in its block */
  uint64_t wanted; /* whether details of this block's instructions are */
};

/* What the processor did last. */
struct processor {
  struct shared_with_code *code;
  uint64_t whole;           /* what `begun` is if the whole block was executed */
  const struct block *last; /* NULL: it is not known */
};

extern struct processor ky_processor __attribute__((visibility("hidden")));

/* A block begins. */
static inline void ky_block_begins(const struct block *block) {
  ky_processor.last = block;
  ky_processor.whole = block->instructions - 1u;
}

/*
 * The block that is executed: QEMU translates code once for each page of memory, and executes it at all addresses where
 * that page is.
 */
struct block *ky_moved(struct block *block, uint64_t address);

static inline struct block *ky_executed_block(struct block *block, uint64_t address) {
  return __builtin_expect(address != block->address, 0) ? ky_moved(block, address) : block;
}

/* Flags of a block at an address. */
uint8_t ky_flags_of(uint64_t address);

/* How the kernel is entered with a block; NULL: it is not. */
const struct entry *ky_entry_of(const struct block *block);

/* The address that the kernel will return to, when it is entered. */
uint64_t ky_return_address(const struct entry *entry, const uint64_t *registers);

/* How many instructions of the last block were executed. What faults is executed later, and counts then. */
unsigned ky_executed(const struct entry *entry, uint64_t address);

#endif
