#ifndef KYMO_INSTRUCTIONS_BLOCKS_H
#define KYMO_INSTRUCTIONS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_insn;
struct qemu_plugin_tb;

/* Instructions that are executed one after the other. Only the handler and `moved` may change; never freed. */
struct block {
  uint64_t step; /* what it adds to a chunk's progress */
  uint32_t number;
  uint16_t instructions;
  uint16_t size; /* bytes of code */
  bool handler;  /* whether it is where a signal's handler begins */
  bool repeated; /* whether it is one string instruction with a REP prefix */
  uint8_t flags; /* of the plugin's own */
  uint64_t last; /* address of its last instruction */
  uint64_t address;
  struct block *next;
  struct block *moved; /* the same code at another address, where it was executed last; NULL: nowhere */
  uint8_t bytes[]; /* lengths of the instructions, then code */
};

/* A number that no block has. */
#define NO_BLOCK 0

/* Numbers have so many bits. */
#define BLOCK_BITS 22
#define MAX_BLOCKS (1 << BLOCK_BITS)

#define LONGEST_INSTRUCTION 15

/* Of a block. */
#define MAX_INSTRUCTIONS 512

/* Copies an instruction's bytes; returns how many. */
size_t ky_copy_code(uint8_t *to, const struct qemu_plugin_insn *instruction);

/* The block that QEMU has translated, and a fact about it if it is new; NULL if there are too many. */
struct block *ky_block(const struct qemu_plugin_tb *translated);

/* The same code at another address; NULL if there are too many. */
struct block *ky_block_at(const struct block *block, uint64_t address);

/* By its number; NULL for NO_BLOCK. */
struct block *ky_block_of(uint32_t number);

/* How many blocks there are. */
uint32_t ky_block_count(void);

/* From now on, blocks at an address begin a signal's handler. Returns whether that is new. */
bool ky_handler(uint64_t address);

/* To be called in a child after fork. */
void ky_blocks_after_fork(void);

#endif
