#include "library.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guest.h"
#include "calls/calls.h"
#include "calls/functions.h"
#include "control/housekeeper.h"
#include "control/identity.h"
#include "control/join.h"
#include "control/membership.h"
#include "events/events.h"
#include "fork.h"
#include "shared/process.h"
#include "shared/threads.h"

static bool constructed; /* whether this library's constructors run or have run */

/* A preloaded library is loaded into every program, also into those that have nothing to record. */
static bool is_preloaded(void) {
  const char *preloaded = secure_getenv("LD_PRELOAD");
  return preloaded != NULL && strstr(preloaded, "libkymo") != NULL;
}

bool ky_is_early(void) {
  return environ == NULL && !constructed;
}

bool ky_begun(void) {
  static bool begun;
  static bool works;
  if (!begun && ky_is_early()) {
    return false;
  }
  if (__atomic_exchange_n(&begun, true, __ATOMIC_ACQ_REL)) {
    return __atomic_load_n(&works, __ATOMIC_ACQUIRE);
  }
  bool ready = ky_membership_init() && ky_events_init() && ky_fork_init() && ky_functions_init() && ky_calls_init()
      && ky_threads_init(ky_calls_end);
  __atomic_store_n(&works, ready, __ATOMIC_RELEASE);
  if (ready && is_preloaded()) {
    ky_join_later();
  } else if (ready && ky_join()) {
    ky_start_housekeeper(ky_process);
  } else {
    ky_functions_begin(NULL);
  }
  return ready;
}

__attribute__((constructor(101))) static void begin(int count, char **arguments, char **environment) {
  struct guard guard;
  ky_guard_begin(&guard);
  if (secure_getenv("KYMO_CHECK_LOCKS") != NULL) {
    ky_check_locks();
  }
  ky_find_command(count, arguments, environment);
  constructed = true;
  ky_begun();
  ky_guard_end(&guard);
}

/* Runs after the program's own exit handlers; threads that still run are still recorded. */
__attribute__((destructor(101))) static void end(void) {
  struct guard guard;
  struct process *process = ky_process;
  ky_guard_begin(&guard);
  if (process != NULL && process->number != 0 && !process->stopped) {
    ky_dismiss_housekeeper(process);
    ky_say_ended(process);
  }
  ky_guard_end(&guard);
}
