#include "counts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "budget.h"
#include "process.h"
#include "threads.h"

/* How many used blocks are looked at for a free one, and the bytes that get memory at a time. */
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
  release64(memory + COUNTERS_MAGIC, COUNTERS_MAGIC_VALUE);
  counters->memory = memory;
  return true;
}

static uint8_t *block_at(const struct counters *counters, uint32_t block) {
  return counters->memory + COUNTERS_HEADER_SIZE + (size_t) block * COUNTER_SIZE;
}

/* A block that nobody uses; NULL if there is no memory for one. */
static uint8_t *free_block(struct counters *counters) {
  for (uint32_t i = 0; i < TRIES && i < counters->blocks; i++) {
    counters->next = counters->next + 1 < counters->blocks ? counters->next + 1 : 0;
    uint8_t *block = block_at(counters, counters->next);
    if (load32(block + COUNTER_STATE) == COUNTER_FREE) {
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
  release32(counters->memory + COUNTERS_BLOCKS, ++counters->blocks);
  return block;
}

static uint8_t *new_block(struct counters *counters, uint32_t thread, uint32_t slot, uint32_t number) {
  uint8_t *block = free_block(counters);
  if (block != NULL) {
    memset(block, 0, COUNTER_SIZE);
    store32(block + COUNTER_THREAD, thread);
    store32(block + COUNTER_METHOD, number);
    store32(block + COUNTER_MODE, mode_of(slot));
    release32(block + COUNTER_STATE, COUNTER_USED);
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
    ring->counters = ky_private_memory(SLOTS * sizeof *ring->counters);
  }
  if (ring->counters == NULL) {
    return NULL;
  }
  ky_lock(&counters->lock);
  uint8_t *block = new_block(counters, ring->thread, slot, number);
  __atomic_store_n(&ring->counters[slot], block, __ATOMIC_RELEASE);
  ky_unlock(&counters->lock);
  return block;
}

void ky_counters_retire(struct process *process, struct ring *ring) {
  struct counters *counters = process->counters;
  if (ring->counters == NULL || counters == NULL) {
    return;
  }
  ky_lock(&counters->lock);
  for (uint32_t slot = 0; slot < counters->slots; slot++) {
    uint8_t *block = ring->counters[slot];
    if (block != NULL) {
      ring->counters[slot] = NULL;
      release32(block + COUNTER_STATE, COUNTER_RETIRED);
    }
  }
  ky_unlock(&counters->lock);
}

bool ky_count_begin(struct process *process, struct call *call) {
  struct ring *ring = ky_own_ring(process);
  uint8_t *block = ring == NULL ? NULL : ky_counter(process, ring, call->slot, call->number);
  if (block != NULL) {
    count_begin(ring, block, call);
  } else if (ring != NULL) {
    ky_budget_uncountable(process, call->slot);
  }
  return block != NULL;
}

void ky_count_end(struct process *process, const struct call *call) {
  struct ring *ring = ky_own_ring(process);
  uint8_t *block = ring == NULL || call->begin == 0
      ? NULL
      : ky_counter(process, ring, call->slot, call->number);
  if (block != NULL) {
    count_end(ring, block, call->slot, call->begin, ky_clock(process));
  }
}
