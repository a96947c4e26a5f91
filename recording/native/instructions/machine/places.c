#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trace.h"

struct place {
  bool in_program;
  uint64_t offset;  /* in the program's file */
  uint64_t address; /* 0: there is no place, or the file is not mapped yet */
  int64_t passes;
};

static struct place places[MARKER_END + 1];
static char program[4096];

void ky_set_place(enum marker marker, const char *text) {
  uint64_t *edge = marker == MARKER_BEGIN ? &ky_window.begin : &ky_window.end;
  if (*text != 'k' && *text != 'p') {
    *edge = strtoull(text, NULL, 10);
    return;
  }
  char *end;
  uint64_t where = strtoull(text + 1, &end, 16);
  places[marker] = (struct place){
    .in_program = *text == 'p',
    .offset = where,
    .address = *text == 'p' ? 0 : where,
    .passes = *end == '#' ? strtoll(end + 1, NULL, 10) : 1,
  };
  *edge = UINT64_MAX; /* until the place is passed */
}

void ky_set_program(const char *path) {
  snprintf(program, sizeof program, "%s", path);
}

bool ky_file_is_mapped(const char *path, uint64_t begin, uint64_t end, uint64_t offset) {
  if (*program == 0 || strcmp(path, program) != 0) {
    return false;
  }
  for (enum marker marker = MARKER_BEGIN; marker <= MARKER_END; marker++) {
    struct place *place = &places[marker];
    if (place->in_program && place->offset >= offset && place->offset - offset < end - begin) {
      place->address = begin + (place->offset - offset);
    }
  }
  return true;
}

bool ky_is_place(enum marker marker, uint64_t address) {
  return places[marker].address != 0 && places[marker].address == address;
}

bool ky_pass(enum marker marker, bool in_program) {
  struct place *place = &places[marker];
  return (in_program || !place->in_program) && --place->passes == 0;
}
