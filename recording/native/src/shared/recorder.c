#include "recorder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/guest.h"
#include "base/layout.h"
#include "process.h"

/* Nanoseconds without a heartbeat after which the recorder counts as dead where its lock cannot be read. */
#define HEARTBEAT_PATIENCE UINT64_C(10000000000)
#define LOOK_PERIOD UINT64_C(90000000)

/* Nanoseconds to wait for the recorder's permission; it looks every few milliseconds. */
#define OWNER_PATIENCE UINT64_C(1000000000)

static bool is_asked_to_stop(const struct process *process) {
  return load32_acquire(process->control + CONTROL_STOP) != 0;
}

enum recorder_state { RECORDER_ALIVE, RECORDER_DEAD, RECORDER_UNKNOWN };

/* The recorder holds a lock on a file, which the kernel releases only when the recorder dies. */
static enum recorder_state recorder_state(const struct process *process) {
  size_t size = strlen(process->session->directory) + 16; /* a thread's stack may be small */
  char file[size];
  struct flock held = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  snprintf(file, size, "%s/alive", process->session->directory);
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return RECORDER_UNKNOWN;
  }
  int asked = fcntl(fd, F_GETLK, &held);
  close(fd);
  return asked != 0 ? RECORDER_UNKNOWN : held.l_type == F_UNLCK ? RECORDER_DEAD : RECORDER_ALIVE;
}

/* Checks now and then whether the recorder lives. A recorder that is suspended, or gets no processor, lives. */
static void look_for_recorder(struct process *process) {
  uint64_t now = ky_nanos(CLOCK_MONOTONIC);
  uint64_t due = __atomic_load_n(&process->next_look, __ATOMIC_RELAXED);
  if (now < due || !__atomic_compare_exchange_n(&process->next_look, &due, now + LOOK_PERIOD, false,
                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    return;
  }
  uint64_t heartbeat = load64_acquire(process->control + CONTROL_HEARTBEAT);
  if (heartbeat != process->last_beat || process->last_change == 0) {
    process->last_beat = heartbeat;
    process->last_change = now;
    return;
  }
  enum recorder_state state = recorder_state(process);
  bool gone = state == RECORDER_DEAD
      || (state == RECORDER_UNKNOWN && now - process->last_change > HEARTBEAT_PATIENCE);
  if (gone && !is_asked_to_stop(process)) { /* a recorder that ends sets the flag before it releases the lock */
    process->recorder_gone = true;
  }
}

bool ky_stop_requested(struct process *process) {
  if (is_asked_to_stop(process)) {
    return true;
  }
  look_for_recorder(process);
  return process->recorder_gone;
}

bool ky_await_recorder(struct process *process) {
  if (ky_stop_requested(process)) {
    return false;
  }
  ky_pause();
  return true;
}

bool ky_ask_for_home(struct process *process) {
  uint32_t wanted = (uint32_t) geteuid() + 1;
  uint64_t end = ky_nanos(CLOCK_MONOTONIC) + OWNER_PATIENCE;
  store32_release(process->control + CONTROL_OWNER_ASKED, wanted);
  uint32_t done;
  do {
    done = load32_acquire(process->control + CONTROL_OWNER_DONE);
  } while (done != wanted && done != OWNER_REFUSED && ky_nanos(CLOCK_MONOTONIC) < end
      && ky_await_recorder(process));
  return done == wanted;
}
