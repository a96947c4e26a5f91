#include "membership.h"

#include "base/guest.h"
#include "base/layout.h"
#include "base/private.h"
#include "calls/calls.h"
#include "calls/functions.h"
#include "events/events.h"
#include "identity.h"
#include "shared/threads.h"

static struct lock *lock; /* in memory that a fork zeroes */

bool ky_membership_init(void) {
  lock = ky_private_memory(sizeof *lock);
  return lock != NULL;
}

void ky_membership_lock(void) {
  ky_lock(lock, MEMBERSHIP_LOCK);
}

void ky_membership_unlock(void) {
  ky_unlock(lock, MEMBERSHIP_LOCK);
}

void ky_say_ended(struct process *process) {
  ky_keep_names(process, true);
  ky_define_clock_pair(process);
  store32_relaxed(process->control + CONTROL_STATE, STATE_ENDED);
}

void ky_end(struct process *process) {
  ky_lock(lock, MEMBERSHIP_LOCK);
  bool first = !process->stopped;
  process->stopped = true;
  if (first) {
    ky_functions_begin(NULL);
    ky_events_begin(NULL);
  }
  ky_unlock(lock, MEMBERSHIP_LOCK);
  if (first) {
    __atomic_add_fetch(&ky_joinings_over, 1, __ATOMIC_RELAXED);
    if (process->number != 0) {
      ky_say_ended(process);
    }
  }
}
