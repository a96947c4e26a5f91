#include "process.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/guest.h"
#include "base/layout.h"

/* Nanoseconds until another attempt to get shared memory. */
#define RETRY_AFTER UINT64_C(1000000000)

struct process *ky_process;

uint64_t ky_clock(const struct process *process) {
  return clock_now(process->session->tsc);
}

void ky_lose_without_ring(struct process *process) {
  __atomic_fetch_add(
      (uint64_t *) (void *) (process->control + CONTROL_LOST), 1, __ATOMIC_RELAXED);
}

bool ky_fails(struct process *process) {
  process->no_rings_until = ky_nanos(CLOCK_MONOTONIC) + RETRY_AFTER;
  return !__atomic_exchange_n(&process->failure_said, true, __ATOMIC_RELAXED);
}

bool ky_say_no_memory(struct process *process, const char *what, size_t bytes) {
  const char *error = strerror(errno);
  bool full = errno == ENOSPC || errno == ENOMEM; /* it may also lack a descriptor, or may not write such files */
  bool first = ky_fails(process);
  if (first) {
    ky_say("no memory for %s: directory=%s bytes=%zu error=%s%s", what, process->home, bytes, error,
        full ? "; give it more room or record with a smaller --buffer" : "");
  }
  return first;
}

bool ky_is_kept_out(int error) {
  return error == EACCES || error == EPERM;
}
