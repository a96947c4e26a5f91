/* What a program says about its recording as a whole. */
#include "events.h"

static void notice(struct process *process, const char *text) {
  struct definition definition;
  ky_definition_begin(&definition, DEFINITION_NOTICE);
  ky_definition_u32(&definition, process->number);
  ky_definition_string(&definition, text);
  ky_definition_put(process, &definition);
}

int kymo_init(int flags, const char *name) {
  if (flags != 0) {
    return -1;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  bool joined = ky_join();
  if (joined) {
    ky_start_housekeeper(ky_process);
    if (name != NULL) {
      ky_define_process(ky_process, name);
    }
  }
  ky_guard_end(&guard);
  return joined;
}

static void pause_or_go_on(bool pause) {
  struct guard guard;
  if (!__atomic_load_n(&kymo_recording_, __ATOMIC_RELAXED)) {
    return;
  }
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  bool changed = process != NULL
      && __atomic_exchange_n(&ky_paused, pause, __ATOMIC_RELAXED) != pause;
  if (changed && pause) {
    ky_events_show(process);
    notice(process, "recording was stopped by the program here, until it goes on or ends");
  } else if (changed) {
    notice(process, "recording goes on here");
    ky_events_show(process);
  }
  ky_guard_end(&guard);
}

void kymo_start(void) {
  pause_or_go_on(false);
}

void kymo_stop(void) {
  pause_or_go_on(true);
}

void kymo_flush(void) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_process;
  if (process != NULL && process->number != 0 && !process->stopped) {
    uint32_t mine = __atomic_add_fetch(
        (uint32_t *) (void *) (process->control + CONTROL_FLUSHES), 1, __ATOMIC_ACQ_REL);
    bool alive = true;
    while (alive && (int32_t) (load32(process->control + CONTROL_FLUSHED) - mine) < 0) {
      alive = ky_await_recorder(process);
    }
  }
  ky_guard_end(&guard);
}

void kymo_done(void) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_process;
  if (process != NULL && process->number != 0) {
    ky_dismiss_housekeeper(process);
    ky_end(process);
  }
  ky_guard_end(&guard);
}
