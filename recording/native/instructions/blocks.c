#include "blocks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "qemu-plugin.h"

#define BUCKETS (1024 * 1024)
#define MAX_CODE (MAX_INSTRUCTIONS * 16)
#define MAX_HANDLERS 256
#define PAGE 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *buckets[BUCKETS];
static struct block *numbered[MAX_BLOCKS];
static uint32_t count;
static uint64_t handlers[MAX_HANDLERS];
static unsigned handler_count;

static uint32_t bucket_of(uint64_t address) {
  return (uint32_t) ((address * UINT64_C(0x9E3779B97F4A7C15)) >> 44) & (BUCKETS - 1);
}

static bool is_handler(uint64_t address) {
  for (unsigned i = 0; i < handler_count; i++) {
    if (handlers[i] == address) {
      return true;
    }
  }
  return false;
}

size_t ky_copy_code(uint8_t *to, const struct qemu_plugin_insn *instruction) {
  size_t length = qemu_plugin_insn_size(instruction);
#if QEMU_PLUGIN_VERSION == 1
  memcpy(to, qemu_plugin_insn_data(instruction), length);
#else
  qemu_plugin_insn_data(instruction, to, length);
#endif
  return length;
}

/*
 * QEMU 7.2 ends a block at a page's end, also in the middle of an instruction. It counts that instruction, whose bytes
 * it has not all read, and executes it with the next block.
 */
static bool is_cut(const struct qemu_plugin_insn *instruction) {
  if (QEMU_PLUGIN_VERSION > 1 || PAGE - qemu_plugin_insn_vaddr(instruction) % PAGE >= LONGEST_INSTRUCTION) {
    return false;
  }
  char *text = qemu_plugin_insn_disas(instruction);
  bool cut = text == NULL || text[0] == 0 || text[0] == '.'; /* .byte 0x48 */
  free(text);
  return cut;
}

/* MOVS, CMPS, STOS, LODS, SCAS, INS or OUTS with a prefix F2 or F3. */
static bool is_repeated(const uint8_t *code, unsigned size) {
  bool prefix = false;
  for (unsigned i = 0; i < size; i++) {
    uint8_t byte = code[i];
    if (byte == 0xF2 || byte == 0xF3) {
      prefix = true;
    } else if (byte != 0x66 && byte != 0x67 && (byte & 0xF0) != 0x40) {
      return prefix && i + 1 == size
        && ((byte >= 0xA4 && byte <= 0xA7) || (byte >= 0xAA && byte <= 0xAF) || (byte >= 0x6C && byte <= 0x6F));
    }
  }
  return false;
}

static struct block *find(uint64_t address, unsigned instructions, unsigned size, const uint8_t *bytes) {
  for (struct block *block = buckets[bucket_of(address)]; block != NULL; block = block->next) {
    if (block->address == address && block->instructions == instructions && block->size == size
        && memcmp(block->bytes, bytes, instructions + size) == 0) {
      return block;
    }
  }
  return NULL;
}

static struct block *add(uint64_t address, unsigned instructions, unsigned size, const uint8_t *bytes) {
  struct block *block = count + 1 < MAX_BLOCKS ? malloc(sizeof *block + instructions + size) : NULL;
  if (block == NULL) {
    return NULL;
  }
  *block = (struct block){
    .step = ((uint64_t) instructions << PROGRESS_BITS) - 1,
    .address = address,
    .number = ++count,
    .instructions = (uint16_t) instructions,
    .size = (uint16_t) size,
    .handler = is_handler(address),
    .repeated = instructions == 1 && is_repeated(bytes + 1, size),
    .last = address + size - (instructions == 0 ? 0 : bytes[instructions - 1]),
    .next = buckets[bucket_of(address)],
  };
  memcpy(block->bytes, bytes, instructions + size);
  buckets[bucket_of(address)] = block;
  numbered[block->number] = block;
  ky_fact(FACT_BLOCK, &block->address, sizeof block->address, &block->instructions, sizeof block->instructions,
    block->bytes, instructions + size);
  return block;
}

static struct block *known(uint64_t address, unsigned instructions, unsigned size, const uint8_t *bytes) {
  pthread_mutex_lock(&lock);
  struct block *block = find(address, instructions, size, bytes);
  if (block == NULL) {
    block = add(address, instructions, size, bytes);
  }
  pthread_mutex_unlock(&lock);
  return block;
}

struct block *ky_block(const struct qemu_plugin_tb *translated) {
  uint8_t bytes[MAX_INSTRUCTIONS + MAX_CODE];
  uint8_t code[MAX_CODE];
  unsigned instructions = (unsigned) qemu_plugin_tb_n_insns(translated);
  if (instructions > MAX_INSTRUCTIONS) {
    return NULL;
  }
  if (instructions > 1 && is_cut(qemu_plugin_tb_get_insn(translated, instructions - 1))) {
    instructions--;
  }
  unsigned size = 0;
  for (unsigned i = 0; i < instructions; i++) {
    const struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(translated, i);
    size_t length = qemu_plugin_insn_size(instruction);
    if (size + length > MAX_CODE) {
      return NULL;
    }
    bytes[i] = (uint8_t) length;
    size += (unsigned) ky_copy_code(code + size, instruction);
  }
  memcpy(bytes + instructions, code, size);
  return known(qemu_plugin_tb_vaddr(translated), instructions, size, bytes);
}

struct block *ky_block_at(const struct block *block, uint64_t address) {
  return known(address, block->instructions, block->size, block->bytes);
}

struct block *ky_block_of(uint32_t number) {
  return numbered[number];
}

uint32_t ky_block_count(void) {
  return count;
}

bool ky_handler(uint64_t address) {
  pthread_mutex_lock(&lock);
  bool added = address > 1 && !is_handler(address) && handler_count < MAX_HANDLERS;
  if (added) {
    handlers[handler_count++] = address;
    for (struct block *block = buckets[bucket_of(address)]; block != NULL; block = block->next) {
      block->handler |= block->address == address;
    }
  }
  pthread_mutex_unlock(&lock);
  return added;
}

void ky_blocks_after_fork(void) {
  pthread_mutex_init(&lock, NULL);
}
