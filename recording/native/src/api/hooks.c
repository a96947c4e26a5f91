/* The hooks of -finstrument-functions. */
#include "hooks.h"

#include "base/clock.h"
#include "base/guest.h"
#include "calls/calls.h"
#include "calls/functions.h"
#include "control/join.h"
#include "kymo.h"
#include "library.h"
#include "record.h"
#include "shared/call.h"
#include "shared/counts.h"
#include "shared/threads.h"

/* While it is set, hooks of functions that this library itself calls record nothing. */
static _Thread_local bool defining __attribute__((tls_model("initial-exec")));

static OUT_OF_LINE void record_guarded(uintptr_t function, const void *site, bool ends, const void *frame) {
  struct guard guard;
  ky_guard_begin(&guard);
  defining = true;
  struct process *process = ky_begun() ? ky_joined(&guard) : NULL;
  if (process != NULL && __atomic_load_n(&ky_functions_shown, __ATOMIC_RELAXED) != 0) {
    uint32_t number = ky_function_number(process, function);
    if (number != NOT_RECORDED) {
      uint32_t slot = ky_function_slot(number);
      struct call call = {function, (uintptr_t) site, (uintptr_t) frame, number, slot, 0};
      ky_calls_begin(process, frame);
      (ends ? ky_calls_leave : ky_calls_enter)(process, &call);
    }
  }
  defining = false;
  ky_guard_end(&guard);
}

/* Records the begin or end of a call on the slow path; not early, when this thread has no memory of its own yet. */
static OUT_OF_LINE void record_slowly(uintptr_t function, const void *site, bool ends, const void *frame) {
  if (defining || ky_own_work || ky_function_is_left_out(function)) {
    return;
  }
  if (ky_has_no_ring()) {
    ky_calls_lose(ky_process); /* each call of the thread comes here */
  } else {
    record_guarded(function, site, ends, frame);
  }
}

static OUT_OF_LINE void slowly(uintptr_t function, const void *site, bool ends, const void *frame) {
  if (!ky_is_early()) {
    record_slowly(function, site, ends, frame);
  }
}

OUT_OF_LINE void ky_tell_place(uintptr_t address, bool is_return) {
  if (defining || ky_own_work || ky_place_is_settled(address)) {
    return;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  defining = true;
  struct process *process = ky_begun() ? ky_joined(&guard) : NULL;
  if (process != NULL) {
    ky_place_define(process, address, is_return);
  }
  defining = false;
  ky_guard_end(&guard);
}

/* The calling thread's block for a slot if a call can be counted on the fast path; otherwise NULL. */
static inline uint8_t *counter_of(const struct ring *ring, const struct calls *calls, uint32_t slot, uint8_t state) {
  bool ready = ring != NULL && ring->generation == state && ring->counters != NULL
      && calls->generation == state && calls->beyond == 0;
  return RARELY(!ready) ? NULL : ring->counters[slot];
}

/* The compiler inserts a call of this at the begin of each function. */
KYMO_API void __cyg_profile_func_enter(void *function, void *call_site);

/* And of this at its end. */
KYMO_API void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site) {
  uintptr_t address = (uintptr_t) function;
  uint8_t state = __atomic_load_n(&ky_functions_shown, __ATOMIC_RELAXED);
  if (state == 0) {
    return;
  }
  struct calls *calls = &ky_calls;
  struct call *call = calls->top;
  const struct place_of_function *place = &ky_places[ky_function_place(address)];
  bool known = __atomic_load_n(&place->function, __ATOMIC_ACQUIRE) == address && call != calls->end;
  uint32_t slot = __atomic_load_n(&place->slot, __ATOMIC_RELAXED);
  uint8_t *block = !known || slot == 0 ? NULL : counter_of(ky_ring, calls, slot, state);
  if (block != NULL) {
    calls->top = call + 1;
    SEEN_BY_HANDLERS();
    call->function = address;
    call->site = (uintptr_t) call_site;
    call->frame = (uintptr_t) HOOKS_FRAME;
    call->number = place->number;
    call->slot = slot;
    count_begin(ky_ring, block, call);
    return;
  }
  struct ring *ring = RARELY(!known || slot != 0) ? NULL : begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(address, call_site, false, HOOKS_FRAME);
    return;
  }
  uint32_t number = place->number;
  calls->top = call + 1;
  SEEN_BY_HANDLERS();
  call->function = address;
  call->site = (uintptr_t) call_site;
  call->frame = (uintptr_t) HOOKS_FRAME;
  call->number = number;
  call->slot = 0;
  write_call(ring, RECORD_ENTER, number, 0);
}

void __cyg_profile_func_exit(void *function, void *call_site) {
  uintptr_t address = (uintptr_t) function;
  uint8_t state = __atomic_load_n(&ky_functions_shown, __ATOMIC_RELAXED);
  if ((uint8_t) (state + 1) < 2) { /* 0, or UINT8_MAX: before the first call is recorded the stack may not be there */
    if (state != 0) {
      slowly(address, call_site, true, HOOKS_FRAME);
    }
    return;
  }
  struct calls *calls = &ky_calls;
  struct call *call = calls->top - 1;
  bool known = call->function == address && call->site == (uintptr_t) call_site;
  if (known && call->slot != 0) {
    uint8_t *block = counter_of(ky_ring, calls, call->slot, state);
    if (RARELY(block == NULL)) {
      slowly(address, call_site, true, HOOKS_FRAME);
      return;
    }
    uint32_t slot = call->slot;
    uint64_t begin = call->begin;
    calls->top = call;
    SEEN_BY_HANDLERS();
    if (begin != 0) {
      count_end(ky_ring, block, slot, begin, clock_now(ky_ring->tsc));
    }
    return;
  }
  struct ring *ring = RARELY(!known) ? NULL : begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(address, call_site, true, HOOKS_FRAME);
    return;
  }
  uint32_t number = call->number;
  calls->top = call;
  write_call(ring, RECORD_LEAVE, number, 0);
}
