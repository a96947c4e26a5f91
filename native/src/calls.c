#include "calls.h"

#include <stddef.h>
#include <sys/mman.h>

#include "counts.h"
#include "record.h"

/* More than a stack of 8 MiB has room for. */
enum { CALLS = 128 * 1024, CALLS_BYTES = CALLS * sizeof(struct call) };

static struct call none[1];

_Thread_local struct calls ky_calls = {none + 1, none + 1, NULL, 0, 0, 0, false};
uint32_t ky_joinings_over;

static bool has_memory(struct calls *calls) {
  if (calls->bottom != NULL) {
    return true;
  }
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  struct call *memory = mmap(NULL, CALLS_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) {
    return false;
  }
  calls->bottom = memory + 1;
  calls->top = calls->bottom;
  calls->end = memory + CALLS;
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
    call->slot = 0; /* what was counted in the recording before is an event in this one */
    record(process, RECORD_ENTER, call, frame);
  }
}

/* The innermost call of a function from a place; NULL if there is none. */
static struct call *find(const struct calls *calls, const struct call *like) {
  for (struct call *call = calls->top; calls->bottom != NULL && call > calls->bottom;) {
    call--;
    if (call->function == like->function && call->site == like->site) {
      return call;
    }
  }
  return NULL;
}

void ky_calls_unwind(struct process *process, const struct call *last, const void *frame) {
  struct calls *calls = &ky_calls;
  while (calls->bottom != NULL && calls->top > calls->bottom && calls->top - 1 != last) {
    const struct call *call = --calls->top;
    calls->beyond = 0; /* they were above it */
    if (call->slot == 0) {
      record(process, RECORD_UNWIND, call, frame);
    } else {
      ky_count_end(process, call);
    }
  }
}

void ky_calls_enter(struct process *process, const struct call *call) {
  struct calls *calls = &ky_calls;
  bool room = calls->top < calls->end;
  struct call begun = *call;
  if (begun.slot != 0 && (!room || calls->beyond > 0 || !ky_count_begin(process, &begun))) {
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
    ky_count_end(process, begun);
  } else {
    record(process, RECORD_LEAVE, begun == NULL ? call : begun, frame);
  }
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
    munmap(calls->bottom - 1, CALLS_BYTES);
  }
  *calls = (struct calls) {none + 1, none + 1, NULL, 0, 0, 0, false};
}
