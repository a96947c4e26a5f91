/* What a program says about its recording as a whole, and what is done about it. */
#include "control.h"

#include <time.h>

#include "events.h"
#include "mailbox.h"
#include "rules.h"
#include "triggers.h"

enum { NO_LIMIT = 0 };
#define TIME_IS_OVER UINT64_MAX

bool ky_paused;
uint8_t ky_level = LEVEL_ALL;

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

void ky_notice(struct process *process, const char *text) {
  struct definition *definition = ky_definition_begin(process, DEFINITION_NOTICE);
  ky_definition_u32(definition, process->number);
  ky_definition_string(definition, text);
  ky_definition_put(process, definition);
}

/* Recording begins by a trigger, perhaps for a limited time. */
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

void ky_go_on(struct process *process) {
  if (__atomic_exchange_n(&ky_paused, false, __ATOMIC_RELAXED)) {
    ky_notice(process, "recording goes on here");
    ky_events_show(process);
    begin_time(process);
  }
}

void ky_rest(struct process *process) {
  ky_rest_saying(
      process, "recording was stopped by the program here, until it goes on or ends");
}

void ky_rest_saying(struct process *process, const char *text) {
  if (!__atomic_exchange_n(&ky_paused, true, __ATOMIC_RELAXED)) {
    ky_events_show(process);
    ky_notice(process, text);
  }
}

void ky_change_level(struct process *process, uint8_t level) {
  __atomic_store_n(&ky_level, level, __ATOMIC_RELAXED);
  ky_events_show(process);
}

void ky_snapshot(struct process *process) {
  __atomic_fetch_add(
      (uint32_t *) (void *) (process->control + CONTROL_SNAPSHOTS), 1, __ATOMIC_ACQ_REL);
}

bool ky_flush(struct process *process) {
  uint32_t mine = __atomic_add_fetch(
      (uint32_t *) (void *) (process->control + CONTROL_FLUSHES), 1, __ATOMIC_ACQ_REL);
  while ((int32_t) (load32(process->control + CONTROL_FLUSHED) - mine) < 0) {
    if (!ky_await_recorder(process)) {
      return false;
    }
  }
  return true;
}

/* Also if it has not joined yet: then it does not. */
static void leave(struct process *process) {
  if (process->number != 0) {
    ky_dismiss_housekeeper(process);
  }
  ky_end(process);
}

static bool are_flags(int flags) {
  int asks = KYMO_NEED_KERNEL | KYMO_WANT_KERNEL;
  return flags == KYMO_NO_KERNEL || (flags & ~asks) == 0;
}

/* There are no kernel events; false if the program is not to be recorded then. */
static bool go_without_kernel(struct process *process, int flags) {
  if ((flags & KYMO_NEED_KERNEL) != 0) {
    ky_say("this process needs kernel events, which the recording has not, and is not recorded:"
           " recording=%s; use kymo record --kernel", process->session->recording);
    leave(process);
    return false;
  }
  if ((flags & KYMO_WANT_KERNEL) != 0) {
    ky_notice(process, "this process wants kernel events, which the recording has not; use kymo record"
                       " --kernel");
  }
  return true;
}

int kymo_init(int flags, const char *name) {
  if (!are_flags(flags)) {
    return -1;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  bool joined = ky_join();
  if (joined && !ky_process->session->kernel) {
    joined = go_without_kernel(ky_process, flags);
  }
  if (joined) {
    ky_start_housekeeper(ky_process);
    if (name != NULL) {
      ky_define_process(ky_process, name);
    }
  }
  ky_guard_end(&guard);
  return joined;
}

static void change(void (*how)(struct process *process)) {
  struct guard guard;
  if (!__atomic_load_n(&kymo_recording_, __ATOMIC_RELAXED)) {
    return;
  }
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  if (process != NULL) {
    how(process);
  }
  ky_guard_end(&guard);
}

void kymo_start(void) {
  change(ky_go_on);
}

void kymo_stop(void) {
  change(ky_rest);
}

void kymo_flush(void) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_process;
  if (process != NULL && process->number != 0 && !process->stopped) {
    ky_flush(process);
  }
  ky_guard_end(&guard);
}

void kymo_done(void) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_process;
  if (process != NULL) {
    leave(process);
  }
  ky_guard_end(&guard);
}
