#include "control.h"

#include <time.h>

#include "base/guest.h"
#include "base/layout.h"
#include "calls/functions.h"
#include "events/events.h"
#include "events/level.h"
#include "events/rules.h"
#include "events/triggers.h"
#include "shared/definitions.h"
#include "shared/mailbox.h"
#include "shared/process.h"
#include "shared/recorder.h"

enum { NO_LIMIT = 0 };
#define TIME_IS_OVER UINT64_MAX

static uint64_t time_ends; /* monotonic nanoseconds, or one of the above */

void ky_control_begin(struct process *process, bool forked) {
  ky_triggers_begin(process);
  if (!forked) {
    ky_rules_forget();
    ky_level = LEVEL_ALL;
    ky_paused = process->session->start_on[0] != 0;
    time_ends = NO_LIMIT;
  }
}

/* A trigger starts the recording, perhaps for a limited time. */
static void begin_time(struct process *process) {
  uint64_t none = NO_LIMIT;
  uint64_t nanos = process->session->start_on[0] == 0 ? 0 : process->session->nanos;
  if (nanos != 0) {
    uint64_t end = ky_nanos(CLOCK_MONOTONIC) + nanos;
    __atomic_compare_exchange_n(
        &time_ends, &none, end, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    ky_ring_bell(process);
  }
}

uint64_t ky_limit_time(struct process *process) {
  uint64_t end = __atomic_load_n(&time_ends, __ATOMIC_RELAXED);
  if (end == NO_LIMIT || end == TIME_IS_OVER) {
    return UINT64_MAX;
  }
  uint64_t now = ky_nanos(CLOCK_MONOTONIC);
  if (now < end) {
    return end - now;
  }
  __atomic_store_n(&time_ends, TIME_IS_OVER, __ATOMIC_RELAXED);
  ky_rest_saying(process, "recording was stopped by --duration here, until it goes on or ends");
  return UINT64_MAX;
}

/* Updates what hooks and events record. */
static void show(struct process *process) {
  ky_functions_show(process, ky_calls_are_wanted());
  ky_events_show(process);
}

void ky_go_on(struct process *process) {
  if (__atomic_exchange_n(&ky_paused, false, __ATOMIC_RELAXED)) {
    ky_notice(process, "recording goes on here");
    show(process);
    begin_time(process);
  }
}

void ky_rest(struct process *process) {
  ky_rest_saying(
      process, "recording was stopped by the program here, until it goes on or ends");
}

void ky_rest_saying(struct process *process, const char *text) {
  if (!__atomic_exchange_n(&ky_paused, true, __ATOMIC_RELAXED)) {
    show(process);
    ky_notice(process, text);
  }
}

void ky_change_level(struct process *process, uint8_t level) {
  __atomic_store_n(&ky_level, level, __ATOMIC_RELAXED);
  show(process);
}

void ky_snapshot(struct process *process) {
  __atomic_fetch_add(
      (uint32_t *) (void *) (process->control + CONTROL_SNAPSHOTS), 1, __ATOMIC_ACQ_REL);
}

bool ky_flush(struct process *process) {
  uint32_t mine = __atomic_add_fetch(
      (uint32_t *) (void *) (process->control + CONTROL_FLUSHES), 1, __ATOMIC_ACQ_REL);
  while ((int32_t) (load32_acquire(process->control + CONTROL_FLUSHED) - mine) < 0) {
    if (!ky_await_recorder(process)) {
      return false;
    }
  }
  return true;
}
