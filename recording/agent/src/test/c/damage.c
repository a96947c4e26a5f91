/* Weaves class files with some of their bytes changed, and such that end too early: damage CLASSFILE...
 * Built with the sanitizers, it ends with what they say of the first error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "weave.h"

enum { MOST_BYTES = 1 << 20, VARIANTS = 30 };

static uint32_t state = 1;

static uint32_t below(uint32_t limit) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % limit;
}

static void damage(uint8_t *bytes, uint32_t *size) {
  static const uint8_t edges[] = {0, 1, 0x7F, 0x80, 0xFF};
  for (uint32_t left = 1 + below(4); left > 0; left--) {
    bytes[below(*size)] = (uint8_t) (below(2) ? edges[below(sizeof edges)] : below(256));
  }
  if (below(8) == 0) {
    *size = 1 + below(*size);
  }
}

/* 1 if it could be woven. */
static uint32_t weave_all(const uint8_t *bytes, uint32_t size) {
  struct class_file file;
  bool woven = false;
  uint32_t count = class_file_open(&file, bytes, size) ? count_facts(&file) : 0;
  if (count > 0) {
    int32_t *facts = malloc(count * sizeof *facts);
    uint32_t methods = (count - FACTS_OF_CLASS) / FACTS_OF_METHOD;
    int32_t *numbers = malloc((methods + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < methods; i++) {
      numbers[i] = (int32_t) (i % 7 == 0 ? 0 : 32760 + i);
    }
    struct output out = {0};
    woven = find_facts(&file, facts) && weave(&file, numbers, methods, &out);
    output_close(&out);
    free(numbers);
    free(facts);
  }
  class_file_close(&file);
  return woven;
}

int main(int count, char **names) {
  static uint8_t original[MOST_BYTES];
  uint32_t woven = 0;
  for (int i = 1; i < count; i++) {
    FILE *in = fopen(names[i], "rb");
    uint32_t size = in ? (uint32_t) fread(original, 1, sizeof original, in) : 0;
    if (in) {
      fclose(in);
    }
    for (uint32_t variant = 0; variant < VARIANTS && size > 0; variant++) {
      uint32_t length = size;
      uint8_t *bytes = malloc(size);
      memcpy(bytes, original, size);
      damage(bytes, &length);
      /* Of exactly its size, so that reading beyond it is seen. */
      bytes = realloc(bytes, length);
      woven += weave_all(bytes, length);
      free(bytes);
    }
  }
  printf("%u\n", woven);
  return 0;
}
