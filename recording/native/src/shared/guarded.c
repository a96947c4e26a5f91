#include "guarded.h"

#include <signal.h>

#include "process.h"
#include "threads.h"

/* The stack grows down, but a handler may run on its own stack. */
bool ky_is_nested(const struct ring *ring, const char *here) {
  const char *busy = ring->busy;
  stack_t own;
  if (sigaltstack(NULL, &own) == 0) {
    const char *bottom = own.ss_sp;
    if ((own.ss_flags & SS_ONSTACK) != 0) {
      return true;
    }
    if ((own.ss_flags & SS_DISABLE) == 0 && busy >= bottom && busy < bottom + own.ss_size) {
      return false;
    }
  }
  return here < busy;
}

void ky_record_guarded(struct process *process, const struct record *record, const void *frame) {
  struct ring *ring = ky_ring;
  if (ring != NULL && ring->generation == process->generation && ring->busy != NULL
      && (ring->raw != NULL || ky_is_nested(ring, frame))) {
    ky_ring_defer(process, ring, record);
    return;
  }
  ring = ky_own_ring(process);
  if (ring == NULL) {
    ky_lose_without_ring(process);
    return;
  }
  ring->busy = NULL; /* if a handler left a record by a jump */
  ky_ring_write_deferred(process, ring);
  ky_ring_record(process, ring, record);
}
