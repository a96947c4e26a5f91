#include "places.h"

#include <elf.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../marker.h"
#include "../qemu-plugin.h"
#include "memory.h"

/* In an ELF file's header. */
#define TYPE_OFFSET 16

struct wanted {
  bool set;
  bool marker;
  uint64_t address; /* in the file */
  _Atomic int64_t passes;
};

static struct wanted places[2];
static uint64_t program;

bool ky_set_place(enum place place, const char *text) {
  struct wanted *wanted = &places[place];
  const char *number = strchr(text, '#');
  char *end;
  wanted->marker = strncmp(text, "marker", 6) == 0;
  if (!wanted->marker) {
    wanted->address = strtoull(text, &end, 16);
    if (end == text || (*end != 0 && *end != '#')) {
      return false;
    }
  }
  int64_t passes = number == NULL ? 1 : strtoll(number + 1, &end, 10);
  wanted->passes = passes;
  wanted->set = passes > 0;
  return wanted->set;
}

void ky_program_at(uint64_t address) {
  uint16_t type;
  bool moved = ky_peek(&type, address + TYPE_OFFSET, sizeof type) == sizeof type && type == ET_DYN;
  program = moved ? address : 0;
}

static bool is_address(const struct wanted *wanted) {
  return wanted->set && !wanted->marker;
}

bool ky_is_place(enum place place, const struct qemu_plugin_insn *instruction) {
  enum marker marker = ky_marker_of(instruction);
  if (marker != MARKER_NONE) {
    bool counts = !is_address(&places[PLACE_BEGIN]) && !is_address(&places[PLACE_END]);
    return counts && place == (marker == MARKER_BEGIN ? PLACE_BEGIN : PLACE_END);
  }
  const struct wanted *wanted = &places[place];
  return is_address(wanted) && qemu_plugin_insn_vaddr(instruction) == program + wanted->address;
}

size_t ky_places_of_children(char *to, size_t size) {
  size_t length = 0;
  static const char *const names[] = {"start", "stop"};
  for (enum place place = PLACE_BEGIN; place <= PLACE_END; place++) {
    const struct wanted *wanted = &places[place];
    if (wanted->set && wanted->marker && length < size) {
      int64_t passes = wanted->passes > 1 ? wanted->passes : 1;
      length += (size_t) snprintf(to + length, size - length, ",%s=marker#%ld", names[place], (long) passes);
    }
  }
  return length;
}

bool ky_pass(enum place place) {
  struct wanted *wanted = &places[place];
  if (!wanted->set) {
    return true;
  }
  int64_t left = atomic_fetch_sub(&wanted->passes, 1);
  return wanted->marker ? left <= 1 : left == 1;
}
