#include "ring.h"

#include <stdbool.h>
#include <stddef.h>

#include "../src/base/clock.h"
#include "../src/base/layout.h"

static struct lent_ring none;

/* Initial-exec, so that an access is one load. */
static _Thread_local struct lent_ring *used __attribute__((tls_model("initial-exec"))) = &none;

int64_t ticks(void) {
#if defined(COUNTER)
  return (int64_t) clock_now(true);
#else
  return 0;
#endif
}

void use_ring(struct lent_ring *ring) {
  used = ring ? ring : &none;
}

/* Always inlined, with or without an argument. */
static inline int64_t record_words(int64_t word, int64_t thread, const int64_t *argument) {
  /* Everything is loaded before the clock is read: some processors wait there for earlier loads anyway. */
  struct lent_ring *ring = used;
  int32_t size = argument ? 2 * COMPACT_SIZE : COMPACT_SIZE;
  int32_t at = ring->offset;
  bool open = ring->thread == thread && ring->limit - at > size - COMPACT_SIZE;
  uint32_t high = ring->high;
  uint8_t *memory = ring->memory;
  int64_t base = ring->base;
  struct instant now = instant_now(true);
  if (!open || now.high != high) {
    return 0;
  }
  store64_relaxed(memory + at, (uint64_t) word | (uint64_t) now.low << COMPACT_CLOCK_SHIFT);
  if (argument) {
    store64_relaxed(memory + at + COMPACT_SIZE, (uint64_t) *argument);
    ring->extra++;
  }
  ring_position_release(memory, (uint64_t) (base + at + size));
  ring->offset = at + size;
  return ring->answer;
}

int64_t record(int64_t word, int64_t thread) {
  return record_words(word, thread, NULL);
}

int64_t record_argument(int64_t word, int64_t thread, int64_t argument) {
  return record_words(word, thread, &argument);
}
