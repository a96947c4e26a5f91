#include "registers.h"

#include <string.h>

#include "../facts.h"
#include "../trace.h"
#include "../varint.h"

#define REGISTERS 16
#define CHUNK_BYTES (1024 * 1024)
#define RECORD (2 + REGISTERS * 10)

static uint64_t begin, end;

/* The instruction that has begun last. */
static bool waiting;
static uint64_t waiting_clock;
static uint64_t waiting_registers[REGISTERS];

static uint64_t before[REGISTERS];
static uint8_t records[CHUNK_BYTES];
static uint32_t position;
static uint64_t first;
static uint64_t count;
static struct trace trace = {.process = 1, .number = 1};

void ky_begin_registers(uint64_t from, uint64_t to) {
  begin = from;
  end = to;
}

bool ky_in_range(uint64_t clock, unsigned instructions) {
  return clock < end && clock + instructions > begin;
}

static void hand_over(void) {
  struct chunk head = {
    .magic = CHUNK_MAGIC,
    .length = position,
    .stored = position,
    .begin = first,
    .end = first + count,
    .blocks = count,
  };
  if (count > 0 && ky_hand_over(&trace, &head, records)) {
    trace.chunks++;
  }
  position = 0;
  count = 0;
  memset(before, 0, sizeof before);
}

static void write_waiting(void) {
  waiting = false;
  if (position + RECORD > CHUNK_BYTES) {
    hand_over();
  }
  if (count++ == 0) {
    first = waiting_clock;
  }
  uint8_t *to = records + position + 2;
  uint16_t changed = 0;
  for (unsigned i = 0; i < REGISTERS; i++) {
    if (waiting_registers[i] != before[i]) {
      changed |= (uint16_t) (1u << i);
      to = signed_varint(to, (int64_t) (waiting_registers[i] - before[i]));
      before[i] = waiting_registers[i];
    }
  }
  memcpy(records + position, &changed, sizeof changed);
  position = (uint32_t) (to - records);
}

void ky_instruction_begins(uint64_t clock, const uint64_t *registers) {
  if (waiting) {
    write_waiting();
  }
  if (clock >= begin && clock < end) {
    waiting = true;
    waiting_clock = clock;
    memcpy(waiting_registers, registers, sizeof waiting_registers);
  }
}

void ky_instruction_failed(void) {
  waiting = false;
}

void ky_end_registers(void) {
  if (waiting) {
    write_waiting();
  }
  hand_over();
}

bool ky_is_range_written(uint64_t clock) {
  if (clock < end) {
    return false;
  }
  ky_end_registers();
  return true;
}
