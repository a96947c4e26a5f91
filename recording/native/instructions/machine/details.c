#include "details.h"

#include <string.h>

#include "../varint.h"
#include "detail_file.h"

#define REGISTERS 16
#define REGISTERS_BOUND (2 + REGISTERS * 10)
#define ACCESS_BOUND 48
#define MAX_ACCESSES 256 /* of one instruction */
#define LARGEST 4        /* 16 bytes */
#define STORE 8

static struct wishes wishes;

struct access {
  uint64_t address, low, high;
  uint8_t kind;
};

/* The instruction that has begun last. */
static struct {
  bool waiting;
  uint64_t clock;
  uint64_t registers[REGISTERS];
  struct access accesses[MAX_ACCESSES];
  unsigned count;
} begun;

static struct detail_file registers = {.trace = {.process = 1, .number = DETAIL_REGISTERS}};
static uint64_t before[REGISTERS];

static struct detail_file memory = {.trace = {.process = 1, .number = DETAIL_MEMORY}};
static uint64_t address_before;

void ky_begin_details(const struct wishes *given) {
  wishes = *given;
}

bool ky_in_range(uint64_t clock, unsigned instructions) {
  return (wishes.registers || wishes.memory) && clock < wishes.to && clock + instructions > wishes.from;
}

static void write_registers(void) {
  bool first;
  uint8_t *record = ky_begin_detail(&registers, begun.clock, REGISTERS_BOUND, &first);
  if (first) {
    memset(before, 0, sizeof before);
  }
  uint8_t *to = record + 2;
  uint16_t changed = 0;
  for (unsigned i = 0; i < REGISTERS; i++) {
    if (begun.registers[i] != before[i]) {
      changed |= (uint16_t) (1u << i);
      to = signed_varint(to, (int64_t) (begun.registers[i] - before[i]));
      before[i] = begun.registers[i];
    }
  }
  memcpy(record, &changed, sizeof changed);
  ky_end_detail(&registers, begun.clock, to);
}

static void write_access(const struct access *access) {
  bool first;
  uint8_t *to = ky_begin_detail(&memory, begun.clock, MAX_ACCESSES * ACCESS_BOUND, &first);
  if (first) {
    address_before = 0;
  }
  to = varint(to, begun.clock - memory.last);
  *to++ = access->kind;
  to = signed_varint(to, (int64_t) (access->address - address_before));
  address_before = access->address;
  to = varint(to, access->low);
  if ((access->kind & ~STORE) == LARGEST) {
    to = varint(to, access->high);
  }
  ky_end_detail(&memory, begun.clock, to);
}

static void write_begun(void) {
  if (!begun.waiting) {
    return;
  }
  begun.waiting = false;
  if (wishes.registers) {
    write_registers();
  }
  for (unsigned i = 0; i < begun.count; i++) {
    write_access(&begun.accesses[i]);
  }
}

void ky_instruction_begins(uint64_t clock, const uint64_t *values) {
  write_begun();
  if (clock >= wishes.from && clock < wishes.to) {
    begun.waiting = true;
    begun.clock = clock;
    begun.count = 0;
    memcpy(begun.registers, values, sizeof begun.registers);
  }
}

void ky_memory_used(uint64_t address, unsigned logarithm, bool store, uint64_t low, uint64_t high) {
  if (begun.waiting && begun.count < MAX_ACCESSES && logarithm <= LARGEST) {
    begun.accesses[begun.count++] =
      (struct access){address, low, high, (uint8_t) (logarithm | (store ? STORE : 0))};
  }
}

void ky_instruction_failed(void) {
  begun.waiting = false;
}

void ky_end_details(void) {
  write_begun();
  ky_close_details(&registers);
  ky_close_details(&memory);
}

bool ky_is_range_over(uint64_t clock) {
  return clock >= wishes.to;
}
