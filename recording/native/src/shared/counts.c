#include "counts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/private.h"
#include "process.h"
#include "recorder.h"

/* How many used blocks a search for a free one looks at, and how many bytes get memory at a time. */
enum { TRIES = 64, STEP = 64 * 1024 };

bool ky_counters_open(struct process *process) {
  struct counters *counters = process->counters;
  size_t length = strlen(process->home) + 16; /* a thread's stack may be small */
  char file[length];
  if (counters->memory != NULL) {
    return true;
  }
  snprintf(file, length, "%s/counters", process->home);
  uint8_t *memory = ky_shared_memory(file, COUNTERS_SIZE, COUNTERS_HEADER_SIZE);
  if (memory == NULL && ky_is_kept_out(errno) && ky_ask_for_home(process)) {
    memory = ky_shared_memory(file, COUNTERS_SIZE, COUNTERS_HEADER_SIZE);
  }
  if (memory == NULL) {
    return false;
  }
  counters->present = COUNTERS_HEADER_SIZE;
  counters->slots = 0;
  store64_release(memory + COUNTERS_MAGIC, COUNTERS_MAGIC_VALUE);
  counters->memory = memory;
  return true;
}

static uint8_t *block_at(const struct counters *counters, uint32_t block) {
  return counters->memory + COUNTERS_HEADER_SIZE + (size_t) block * COUNTER_SIZE;
}

/* An unused block; NULL if there is no memory for one. */
static uint8_t *free_block(struct counters *counters) {
  for (uint32_t i = 0; i < TRIES && i < counters->blocks; i++) {
    counters->next = counters->next + 1 < counters->blocks ? counters->next + 1 : 0;
    uint8_t *block = block_at(counters, counters->next);
    if (load32_acquire(block + COUNTER_STATE) == COUNTER_FREE) {
      return block;
    }
  }
  if (counters->blocks == MOST_BLOCKS) {
    return NULL;
  }
  uint8_t *block = block_at(counters, counters->blocks);
  if (block + COUNTER_SIZE > counters->memory + counters->present) {
    uint32_t left = COUNTERS_SIZE - counters->present;
    uint32_t step = left < STEP ? left : STEP;
    if (!ky_take_pages(counters->memory + counters->present, step)) {
      return NULL;
    }
    counters->present += step;
  }
  store32_release(counters->memory + COUNTERS_BLOCKS, ++counters->blocks);
  return block;
}

static uint8_t *new_block(struct counters *counters, uint32_t thread, uint32_t slot, uint32_t number) {
  uint8_t *block = free_block(counters);
  if (block != NULL) {
    memset(block, 0, COUNTER_SIZE);
    store32_relaxed(block + COUNTER_THREAD, thread);
    store32_relaxed(block + COUNTER_METHOD, number);
    store32_relaxed(block + COUNTER_MODE, mode_of(slot));
    store32_release(block + COUNTER_STATE, COUNTER_USED);
    counters->before[(block - block_at(counters, 0)) / COUNTER_SIZE] = 0;
    counters->slots = slot < counters->slots ? counters->slots : slot + 1;
  }
  return block;
}

uint8_t *ky_counter(struct process *process, struct ring *ring, uint32_t slot, uint32_t number) {
  struct counters *counters = process->counters;
  if (ring->counters != NULL && ring->counters[slot] != NULL) {
    return ring->counters[slot];
  }
  if (counters == NULL || counters->memory == NULL) {
    return NULL;
  }
  if (ring->counters == NULL) {
    counters_store_release(ring, ky_private_memory(SLOTS * sizeof *ring->counters));
  }
  if (ring->counters == NULL) {
    return NULL;
  }
  ky_lock(&counters->lock, COUNTERS_LOCK);
  uint8_t *block = new_block(counters, ring->thread, slot, number);
  __atomic_store_n(&ring->counters[slot], block, __ATOMIC_RELEASE);
  ky_unlock(&counters->lock, COUNTERS_LOCK);
  return block;
}

void ky_counters_retire(struct process *process, struct ring *ring) {
  struct counters *counters = process->counters;
  if (ring->counters == NULL || counters == NULL) {
    return;
  }
  ky_lock(&counters->lock, COUNTERS_LOCK);
  for (uint32_t slot = 0; slot < counters->slots; slot++) {
    uint8_t *block = ring->counters[slot];
    if (block != NULL) {
      ring->counters[slot] = NULL;
      store32_release(block + COUNTER_STATE, COUNTER_RETIRED);
    }
  }
  ky_unlock(&counters->lock, COUNTERS_LOCK);
}
