#include "housekeeper.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/guest.h"
#include "base/private.h"
#include "calls/budget.h"
#include "commands.h"
#include "control.h"
#include "identity.h"
#include "membership.h"
#include "shared/mailbox.h"
#include "shared/recorder.h"
#include "shared/threads.h"

enum { ROUNDS_PER_CLOCK_PAIR = 10, STACK = 256 * 1024 };
#define PERIOD UINT64_C(100000000)

/* status: takes what the first thread has ended with */
static bool is_last_thread(const struct process *process, int *status) {
  if (__atomic_load_n(&process->dismissed, __ATOMIC_ACQUIRE)) {
    return false; /* the program waits for this thread, which ends at once */
  }
  struct own_stat stat;
  /* The first thread counts until the process ends; when it has ended itself, it is a zombie. */
  bool last = ky_stat(&stat) && stat.state == 'Z' && stat.threads <= 2;
  *status = last ? stat.exit_status : 0;
  return last;
}

/* Does the work that is due; returns the nanoseconds until the next. */
static uint64_t do_rounds(struct process *process) {
  uint64_t now = ky_nanos(CLOCK_MONOTONIC);
  if (now >= process->next_round) {
    process->next_round = now + PERIOD;
    ky_budget_look(process);
    if (process->rounds > 0) {
      ky_keep_names(process, false);
    }
    if (++process->rounds % ROUNDS_PER_CLOCK_PAIR == 0) {
      ky_define_clock_pair(process);
    }
  }
  uint64_t rest = process->next_round - now;
  uint64_t left = ky_limit_time(process);
  return left < rest ? left : rest;
}

static void *keep_house(void *argument) {
  struct process *process = argument;
  struct guard guard;
  int status = 0;
  process->housekeeper_number = (int32_t) syscall(SYS_gettid);
  ky_own_work = true; /* also at its end, when the program's allocator may take locks */
  ky_guard_begin(&guard);
  prctl(PR_SET_NAME, "kymo"); /* its maker could do this only through a file, which makes the end expensive */
  do { /* it looks for other threads only after a while, when most short processes have ended */
    uint32_t bell = ky_bell(process); /* before it looks for work that the bell announces */
    if (__atomic_load_n(&process->dismissed, __ATOMIC_ACQUIRE)) {
      break;
    }
    if (ky_stop_requested(process)) {
      if (process->recorder_gone) {
        ky_say("the recorder is gone, recording stops: recording=%s", process->session->recording);
      }
      ky_end(process);
      break;
    }
    ky_answer_mail(process, ky_obey);
    ky_await_bell(process, bell, do_rounds(process));
  } while (!is_last_thread(process, &status));
  if (status != 0) { /* as a child by clone() ends, without exit: if this thread just ended, it would end with 0 */
    ky_say_ended(process);
    _exit(status >> 8 & 0xFF);
  }
  ky_guard_end(&guard);
  return NULL;
}

static bool start(struct process *process, size_t stack) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack > 0) {
    pthread_attr_setstacksize(&attributes, stack);
  }
  ky_own_work = true;
  bool started = pthread_create(&process->housekeeper, &attributes, keep_house, process) == 0;
  ky_own_work = false;
  if (started) {
    __atomic_store_n(&process->has_housekeeper, true, __ATOMIC_RELEASE);
  }
  pthread_attr_destroy(&attributes);
  return started;
}

void ky_start_housekeeper(struct process *process) {
  if (__atomic_exchange_n(&process->wants_housekeeper, true, __ATOMIC_RELAXED)) {
    return;
  }
  if (!ky_has_zeroed && !start(process, STACK)) {
    start(process, 0); /* if that fails, too, the process is recorded without a housekeeper */
  }
}

void ky_dismiss_housekeeper(struct process *process) {
  __atomic_store_n(&process->dismissed, true, __ATOMIC_RELEASE);
  ky_ring_bell(process);
  bool has = __atomic_exchange_n(&process->has_housekeeper, false, __ATOMIC_ACQ_REL);
  if (has && !pthread_equal(process->housekeeper, pthread_self())) {
    ky_own_work = true;
    pthread_join(process->housekeeper, NULL);
    ky_own_work = false;
  }
}

bool ky_send_housekeeper_away(struct process *process) {
  if (process->number == 0 || !__atomic_load_n(&process->has_housekeeper, __ATOMIC_ACQUIRE)
      || pthread_equal(process->housekeeper, pthread_self())) {
    return false;
  }
  ky_dismiss_housekeeper(process);
  /* Who has joined a thread finds it among the process's threads for a moment. */
  while (syscall(SYS_tgkill, getpid(), process->housekeeper_number, 0) == 0) {
    ky_pause();
  }
  return true;
}

void ky_call_housekeeper_back(struct process *process) {
  __atomic_store_n(&process->dismissed, false, __ATOMIC_RELEASE);
  __atomic_store_n(&process->wants_housekeeper, false, __ATOMIC_RELAXED);
  if (!process->stopped) {
    ky_start_housekeeper(process);
  }
}

void ky_leave(struct process *process) {
  if (process->number != 0) {
    ky_dismiss_housekeeper(process);
  }
  ky_end(process);
}
