#include "processor.h"

#include <stddef.h>
#include <string.h>

#include "../trace.h"
#include "guest.h"

#define USER_END (UINT64_C(1) << 47)
#define PAGE 4096

/* Below, an address lacks what a segment adds to it. */
#define FLAT (UINT64_C(1) << 20)

struct processor ky_processor;

uint8_t ky_flags_of(uint64_t address) {
  if (address < USER_END) {
    return IS_USER;
  }
  return address == ky_symbols.syscall ? IS_SYSCALL : ky_entry_at(address) != NULL ? IS_ENTRY : 0;
}

struct block *ky_moved(struct block *block, uint64_t address) {
  if (address < FLAT || address % PAGE != block->address % PAGE) {
    return block;
  }
  if (block->moved != NULL && block->moved->address == address) {
    return block->moved;
  }
  struct block *moved = ky_block_at(block, address);
  if (moved == NULL) {
    return block;
  }
  moved->flags = ky_flags_of(address);
  block->moved = moved;
  return moved;
}

static int32_t number_in(const uint8_t *code) {
  int32_t value;
  memcpy(&value, code, sizeof value);
  return value;
}

/* Whether the block that was executed last ends with a jump to an address. */
static bool jumps_to(const struct block *last, uint64_t address) {
  if (last == NULL || last->instructions == 0) {
    return false;
  }
  unsigned length = last->bytes[last->instructions - 1];
  const uint8_t *code = last->bytes + last->instructions + last->size - length;
  uint64_t end = last->address + last->size;
  return (length == 5 && code[0] == 0xE9 && end + (uint64_t) (int64_t) number_in(code + 1) == address)
    || (length == 2 && code[0] == 0xEB && end + (uint64_t) (int64_t) (int8_t) code[1] == address);
}

unsigned ky_executed(const struct entry *entry, uint64_t address) {
  const struct block *last = ky_processor.last;
  if (last == NULL) {
    return UINT16_MAX;
  }
  uint64_t begun = ky_processor.code->begun;
  if (begun < ky_processor.whole) {
    return (unsigned) begun;
  }
  bool again = entry != NULL && !entry->interrupt && address == last->last;
  return again ? last->instructions - 1u : last->instructions;
}

const struct entry *ky_entry_of(const struct block *block) {
  bool entered = (block->flags & IS_ENTRY) != 0 && !jumps_to(ky_processor.last, block->address);
  return entered ? ky_entry_at(block->address) : NULL;
}

/* It is on the kernel's stack. */
uint64_t ky_return_address(const struct entry *entry, const uint64_t *registers) {
  uint64_t address = 0;
  ky_read(&address, registers[RSP] + (entry->code ? 8 : 0), sizeof address);
  return address;
}
