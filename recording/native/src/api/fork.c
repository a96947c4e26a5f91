#include "fork.h"

#include <pthread.h>

#include "base/guest.h"
#include "base/private.h"
#include "control/join.h"
#include "events/events.h"
#include "raw.h"
#include "shared/process.h"
#include "shared/threads.h"

static struct guard fork_guard;

/* Other threads' changes of the events must be complete in the child. */
static void before_fork(void) {
  struct guard guard;
  ky_guard_begin(&guard);
  ky_own_work = true; /* it may call functions that are built with hooks */
  ky_foresee_children();
  ky_own_work = false;
  ky_raw_before_fork();
  ky_events_lock();
  fork_guard = guard;
  ky_guard_forks(&guard);
  /* It is too early to join for events of other libraries' fork handlers. */
  ky_own_work = ky_process == NULL || ky_process->number == 0;
}

static void after_fork_in_parent(void) {
  struct guard guard = fork_guard;
  ky_own_work = false;
  ky_events_unlock();
  ky_guard_end(&guard);
}

static void after_fork_in_child(void) {
  struct guard guard = fork_guard;
  ky_own_work = false;
  ky_is_alone();
  ky_zero_private_memory();
  ky_raw_in_child();
  if (ky_ring != NULL && ky_ring->thread == 0) { /* zeroed by the fork; if not, the child has just joined */
    ky_ring = NULL;
  }
  ky_guard_end(&guard);
}

bool ky_fork_init(void) {
  return pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}
