/* The functions by which a program controls its recording. */
#include "base/guest.h"
#include "control/control.h"
#include "control/housekeeper.h"
#include "control/identity.h"
#include "control/join.h"
#include "kymo.h"
#include "shared/definitions.h"
#include "shared/process.h"

static bool are_flags(int flags) {
  int asks = KYMO_NEED_KERNEL | KYMO_WANT_KERNEL;
  return flags == KYMO_NO_KERNEL || (flags & ~asks) == 0;
}

/* The recording has no kernel events; false if the program is not recorded then. */
static bool go_without_kernel(struct process *process, int flags) {
  if ((flags & KYMO_NEED_KERNEL) != 0) {
    ky_say("this process needs kernel events, which the recording does not have, and is not recorded:"
           " recording=%s; use kymo record --kernel", process->session->recording);
    ky_leave(process);
    return false;
  }
  if ((flags & KYMO_WANT_KERNEL) != 0) {
    ky_notice(process, "this process wants kernel events, which the recording does not have; use kymo record"
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
    ky_leave(process);
  }
  ky_guard_end(&guard);
}
