#include "output.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 4096, MOST = 1 << 30 };

static uint8_t *more(struct output *out, uint32_t count) {
  if (!out->bad && count > out->room - out->size) {
    uint64_t room = 2 * ((uint64_t) out->room + count);
    room = room < LEAST ? LEAST : room;
    uint8_t *bytes = room > MOST ? NULL : realloc(out->bytes, room);
    out->bad = bytes == NULL;
    if (bytes) {
      out->bytes = bytes;
      out->room = (uint32_t) room;
    }
  }
  if (out->bad) {
    return NULL;
  }
  out->size += count;
  return out->bytes + out->size - count;
}

static void big(uint8_t *at, uint32_t value, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++) {
    at[i] = (uint8_t) (value >> 8 * (bytes - 1 - i));
  }
}

static void put(struct output *out, uint32_t value, uint32_t bytes) {
  uint8_t *at = more(out, bytes);
  if (at) {
    big(at, value, bytes);
  }
}

void put1(struct output *out, uint32_t value) {
  put(out, value, 1);
}

void put2(struct output *out, uint32_t value) {
  put(out, value, 2);
}

void put4(struct output *out, uint32_t value) {
  put(out, value, 4);
}

void put_bytes(struct output *out, const void *bytes, uint32_t count) {
  uint8_t *at = count == 0 ? NULL : more(out, count);
  if (at) {
    memcpy(at, bytes, count);
  }
}

void put_text(struct output *out, const char *text) {
  put_bytes(out, text, (uint32_t) strlen(text));
}

void set2(struct output *out, uint32_t at, uint32_t value) {
  if (!out->bad) {
    big(out->bytes + at, value, 2);
  }
}

void set4(struct output *out, uint32_t at, uint32_t value) {
  if (!out->bad) {
    big(out->bytes + at, value, 4);
  }
}

void output_close(struct output *out) {
  free(out->bytes);
  *out = (struct output){0};
}
