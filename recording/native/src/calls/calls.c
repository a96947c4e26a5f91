#include "calls.h"

#include <stddef.h>
#include <sys/mman.h>

#include "base/guest.h"
#include "base/private.h"
#include "budget.h"
#include "shared/counts.h"
#include "shared/guarded.h"
#include "shared/process.h"
#include "shared/threads.h"

/* More calls than a stack of 8 MiB has room for; few threads have more than the first ones. */
enum { CALLS = 128 * 1024, FIRST_CALLS = 1024, CALLS_BYTES = CALLS * sizeof(struct call) };

/* Memory that no thread uses. The first entry of each piece, which is not a call, says where the next piece is. In
 * memory that a fork zeroes. */
struct spare_calls {
  struct lock lock;
  struct call *first;
};

static struct spare_calls *spare;
static struct call none[1];

_Thread_local struct calls ky_calls = {none + 1, none + 1, NULL, 0, 0, 0, false};
uint32_t ky_joinings_over;

bool ky_calls_init(void) {
  spare = ky_private_memory(sizeof *spare);
  return spare != NULL;
}

/* Reuses the memory of ended threads, because mapping memory costs more than many threads do. */
static struct call *take(void) {
  ky_lock(&spare->lock, CALLS_LOCK);
  struct call *memory = spare->first;
  if (memory != NULL) {
    spare->first = (struct call *) memory->site;
    memory->site = 0;
  }
  ky_unlock(&spare->lock, CALLS_LOCK);
  return memory;
}

static void give_back(struct call *memory) {
  unsigned char deep = 1;
  if (mincore((uint8_t *) memory + PAGE, PAGE, &deep) != 0 || (deep & 1) != 0) {
    munmap(memory, CALLS_BYTES); /* more than a page was used, which would be kept in vain */
    return;
  }
  ky_lock(&spare->lock, CALLS_LOCK);
  memory->site = (uintptr_t) spare->first;
  spare->first = memory;
  ky_unlock(&spare->lock, CALLS_LOCK);
}

static struct call *map(void) {
  void *memory = ky_addresses(CALLS_BYTES);
  if (memory != NULL && !ky_use(memory, FIRST_CALLS * sizeof(struct call))) {
    munmap(memory, CALLS_BYTES);
    memory = NULL;
  }
  return memory;
}

static bool has_memory(struct calls *calls) {
  if (calls->bottom != NULL) {
    return true;
  }
  struct call *memory = take();
  memory = memory == NULL ? map() : memory;
  if (memory == NULL) {
    return false;
  }
  calls->bottom = memory + 1;
  calls->top = calls->bottom;
  calls->end = memory + FIRST_CALLS;
  return true;
}

/* Whether there is room for one more call; not above calls without an entry. */
static bool has_room(struct calls *calls) {
  if (calls->top < calls->end || calls->bottom == NULL || calls->beyond > 0) {
    return calls->top < calls->end;
  }
  struct call *memory = calls->bottom - 1;
  size_t wanted = 2 * (size_t) (calls->end - memory);
  if (wanted > CALLS || !ky_use(memory, wanted * sizeof *memory)) {
    return false;
  }
  calls->end = memory + wanted;
  return true;
}

static void record(
    struct process *process, uint32_t id, const struct call *call, const void *frame) {
  ky_record_guarded(process, &(struct record) {id, call->number, 0, NULL, 0}, frame);
}

bool ky_calls_of_context(struct calls *calls) {
  calls->of_context = true;
  return has_memory(calls);
}

void ky_calls_begin(struct process *process, const void *frame) {
  struct calls *calls = &ky_calls;
  if (!has_memory(calls) || calls->generation == process->generation) {
    return;
  }
  if (calls->joinings_over != ky_joinings_over) {
    calls->top = calls->bottom;
  }
  calls->beyond = 0;
  calls->generation = process->generation;
  calls->joinings_over = ky_joinings_over;
  for (struct call *call = calls->bottom; call < calls->top; call++) {
    call->slot = 0; /* a call that was counted in the previous recording is an event in this one */
    record(process, RECORD_ENTER, call, frame);
  }
}

/* The innermost call with the same function and return address; NULL if there is none. */
static struct call *find(const struct calls *calls, const struct call *like) {
  for (struct call *call = calls->top; calls->bottom != NULL && call > calls->bottom;) {
    call--;
    if (call->function == like->function && call->site == like->site) {
      return call;
    }
  }
  return NULL;
}

/* Counts the begin of a call on the slow path; false if it cannot be counted. */
static bool begin_counting(struct process *process, struct call *call) {
  struct ring *ring = ky_own_ring(process);
  uint8_t *block = ring == NULL ? NULL : ky_counter(process, ring, call->slot, call->number);
  if (block != NULL) {
    count_begin(ring, block, call);
  } else if (ring != NULL) {
    ky_budget_uncountable(process, call->slot);
  }
  return block != NULL;
}

static void end_counting(struct process *process, const struct call *call) {
  struct ring *ring = ky_own_ring(process);
  uint8_t *block = ring == NULL || call->begin == 0
      ? NULL
      : ky_counter(process, ring, call->slot, call->number);
  if (block != NULL) {
    count_end(ring, block, call->slot, call->begin, ky_clock(process));
  }
}

void ky_calls_unwind(struct process *process, const struct call *last, const void *frame) {
  struct calls *calls = &ky_calls;
  while (calls->bottom != NULL && calls->top > calls->bottom && calls->top - 1 != last) {
    const struct call *call = --calls->top;
    calls->beyond = 0; /* they were above this call */
    if (call->slot == 0) {
      record(process, RECORD_UNWIND, call, frame);
    } else {
      end_counting(process, call);
    }
  }
}

void ky_calls_enter(struct process *process, const struct call *call) {
  struct calls *calls = &ky_calls;
  bool room = has_room(calls);
  struct call begun = *call;
  if (begun.slot != 0 && (!room || calls->beyond > 0 || !begin_counting(process, &begun))) {
    begun.slot = 0;
  }
  if (room) {
    *calls->top++ = begun;
  } else {
    calls->beyond++;
  }
  if (begun.slot == 0) {
    record(process, RECORD_ENTER, call, (const void *) call->frame);
  }
}

void ky_calls_leave(struct process *process, const struct call *call) {
  const void *frame = (const void *) call->frame;
  struct call *begun = NULL;
  if (ky_calls.beyond > 0) {
    ky_calls.beyond--;
  } else if ((begun = find(&ky_calls, call)) != NULL) {
    ky_calls_unwind(process, begun, frame);
    ky_calls.top = begun;
  }
  if (begun != NULL && begun->slot != 0) {
    end_counting(process, begun);
  } else {
    record(process, RECORD_LEAVE, begun == NULL ? call : begun, frame);
  }
}

void ky_calls_lose(struct process *process) {
  struct calls *calls = &ky_calls;
  calls->beyond = 0;
  if (calls->bottom != NULL) {
    calls->top = calls->bottom;
  }
  ky_lose_without_ring(process);
}

void ky_calls_end(struct process *process, const void *frame) {
  struct calls *calls = &ky_calls;
  if (calls->bottom == NULL) {
    return;
  }
  if (calls->generation == process->generation) {
    ky_calls_unwind(process, NULL, frame);
  }
  if (!calls->of_context) {
    give_back(calls->bottom - 1);
  }
  *calls = (struct calls) {none + 1, none + 1, NULL, 0, 0, 0, false};
}
