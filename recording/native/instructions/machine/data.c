#include "data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../qemu-plugin.h"
#include "../varint.h"
#include "detail_file.h"
#include "entries.h"
#include "guest.h"

#define MAX_PLACES 64
#define MAX_VALUES 16
#define MAX_WORDS 64
#define MAX_TEXT 127
#define MAX_READY 250
#define RECORD_BOUND_HIT (40 + MAX_VALUES * (2 + MAX_TEXT) + MAX_READY * 11)
#define REGISTERS 16
#define LIST_LIMIT 4096 /* of a list that is not one */
#define PRIORITIES 100
#define PAGE 4096

enum value { VALUE_NUMBER, VALUE_TEXT, VALUE_MISSING };

struct word {
  char kind; /* r n + - * & u i t */
  uint64_t number;
};

struct place {
  uint64_t address;
  unsigned count;
  struct {
    struct word words[MAX_WORDS];
    unsigned count;
  } values[MAX_VALUES];
};

static struct place places[MAX_PLACES];
static unsigned count;

/* The thread that the kernel has switched to last. */
static uint32_t thread;

static struct detail_file data = {.trace = {.process = 1, .number = DETAIL_DATA}};

/* The record of the instruction that has begun last. */
static struct {
  bool waiting;
  uint64_t clock;
  uint8_t bytes[RECORD_BOUND_HIT];
  uint32_t size;
} hit;

const char *ky_add_data(const char *address) {
  if (count == MAX_PLACES) {
    return "there are too many places";
  }
  places[count++] = (struct place){.address = strtoull(address, NULL, 16)};
  return NULL;
}

const char *ky_add_value(const char *text) {
  struct place *place = count == 0 ? NULL : &places[count - 1];
  if (place == NULL || place->count == MAX_VALUES) {
    return "there are too many values";
  }
  unsigned depth = 0;
  unsigned words = 0;
  const char *at = text;
  while (*at != 0) {
    char kind = *at;
    char *end = (char *) at + 1;
    uint64_t number = strchr("rnui", kind) == NULL ? 0 : strtoull(at + 1, &end, kind == 'n' ? 16 : 10);
    bool pushes = kind == 'r' || kind == 'n';
    bool takes_two = strchr("+-*&", kind) != NULL;
    bool sound = words < MAX_WORDS && (pushes || takes_two || kind == 'u' || kind == 'i' || kind == 't')
      && (kind != 'r' || number < REGISTERS) && depth >= (pushes ? 0u : takes_two ? 2u : 1u)
      && ((kind != 'u' && kind != 'i') || number == 1 || number == 2 || number == 4 || number == 8)
      && (kind != 't' || (depth == 1 && *end == 0)) && (*end == 0 || *end == ' ');
    if (!sound) {
      return "a value is damaged";
    }
    depth = depth + (pushes ? 1 : 0) - (takes_two ? 1 : 0);
    place->values[place->count].words[words++] = (struct word){kind, number};
    at = *end == 0 ? end : end + 1;
  }
  if (depth != 1) {
    return "a value is damaged";
  }
  place->values[place->count++].count = words;
  return NULL;
}

unsigned ky_data_at(uint64_t address) {
  for (unsigned i = 0; i < count; i++) {
    if (places[i].address == address) {
      return i + 1;
    }
  }
  return 0;
}

bool ky_may_be_data(uint64_t address) {
  for (unsigned i = 0; i < count; i++) {
    if (places[i].address % PAGE == address % PAGE) {
      return true;
    }
  }
  return false;
}

static int64_t extended(uint64_t value, uint64_t bytes) {
  unsigned shift = (unsigned) (64 - 8 * bytes);
  return (int64_t) (value << shift) >> shift;
}

static uint8_t *text_value(uint8_t *to, uint64_t address) {
  char text[MAX_TEXT + 1];
  size_t length = 0;
  while (length < MAX_TEXT && ky_read(text + length, address + length, 1) && text[length] != 0) {
    length++;
  }
  char first;
  if (length == 0 && !ky_read(&first, address, 1)) {
    *to++ = VALUE_MISSING;
    return to;
  }
  *to++ = VALUE_TEXT;
  *to++ = (uint8_t) length;
  memcpy(to, text, length);
  return to + length;
}

static uint8_t *value(uint8_t *to, const struct word *words, unsigned length, const uint64_t *registers) {
  uint64_t stack[MAX_WORDS];
  unsigned depth = 0;
  for (unsigned i = 0; i < length; i++) {
    uint64_t number = words[i].number;
    uint64_t top = depth == 0 ? 0 : stack[depth - 1];
    switch (words[i].kind) {
      case 'r':
        stack[depth++] = registers[number];
        break;
      case 'n':
        stack[depth++] = number;
        break;
      case '+':
        stack[--depth - 1] += top;
        break;
      case '-':
        stack[--depth - 1] -= top;
        break;
      case '*':
        stack[--depth - 1] *= top;
        break;
      case '&':
        stack[--depth - 1] &= top;
        break;
      case 't':
        return text_value(to, top);
      default: {
        uint64_t read = 0;
        if (!ky_read(&read, top, number)) {
          *to++ = VALUE_MISSING;
          return to;
        }
        stack[depth - 1] = words[i].kind == 'i' ? (uint64_t) extended(read, number) : read;
      }
    }
  }
  *to++ = VALUE_NUMBER;
  return varint(to, stack[0]);
}

static void write_hit(void) {
  if (!hit.waiting) {
    return;
  }
  hit.waiting = false;
  bool first;
  uint8_t *to = ky_begin_detail(&data, hit.clock, MAX_PLACES * RECORD_BOUND_HIT, &first);
  to = varint(to, hit.clock - data.last);
  memcpy(to, hit.bytes, hit.size);
  ky_end_detail(&data, hit.clock, to + hit.size);
}

/* Begins a record, and ends the one before. */
static uint8_t *begin(unsigned place, uint64_t clock) {
  write_hit();
  hit.waiting = true;
  hit.clock = clock;
  return varint(varint(hit.bytes, place), thread);
}

static void end(const uint8_t *to) {
  hit.size = (uint32_t) (to - hit.bytes);
}

void ky_data_reached(unsigned number, uint64_t clock, const uint64_t *registers) {
  const struct place *place = &places[number - 1];
  uint8_t *to = begin(number, clock);
  *to++ = (uint8_t) place->count;
  for (unsigned i = 0; i < place->count; i++) {
    to = value(to, place->values[i].words, place->values[i].count, registers);
  }
  end(to);
}

/* Threads that a list of the kernel's has; each has its link at an offset. */
static uint8_t *listed(uint8_t *to, unsigned *found, uint64_t head, uint64_t link) {
  uint64_t next = ky_word_at(head);
  for (unsigned i = 0; i < LIST_LIMIT && next != 0 && next != head && *found < MAX_READY; i++) {
    *to++ = VALUE_NUMBER;
    to = varint(to, ky_number_at(next - link + ky_offsets.pid));
    (*found)++;
    next = ky_word_at(next);
  }
  return to;
}

void ky_replay_switch(uint64_t clock, uint64_t task, bool ready) {
  thread = ky_number_at(task + ky_offsets.pid);
  if (!ready) {
    return;
  }
  uint64_t queue = ky_symbols.run_queues + ky_word_at(ky_symbols.per_cpu_offset);
  uint8_t *to = begin(0, clock);
  uint8_t *size = to++;
  unsigned found = 0;
  if (ky_number_at(queue + ky_offsets.rt_running) > 0) {
    for (unsigned i = 0; i < PRIORITIES; i++) {
      to = listed(to, &found, queue + ky_offsets.rt_queues + 16 * i, ky_offsets.rt_link);
    }
  }
  to = listed(to, &found, queue + ky_offsets.fair_tasks, ky_offsets.fair_link);
  *size = (uint8_t) found;
  end(to);
}

void ky_data_failed(uint64_t clock) {
  if (hit.waiting && hit.clock == clock) {
    hit.waiting = false;
  }
}

void ky_end_data(void) {
  write_hit();
  ky_close_details(&data);
}
