/* Barriers, and pthread_once. */
#include "locking.h"

/* The begin of the thread library's own structure, which programs are compiled with. */
struct barrier {
  uint32_t in; /* threads that have arrived, as a counter that wraps around */
  uint32_t round; /* value of that counter at the round's begin */
  uint32_t count; /* threads of a round */
};

/* Whether all other threads are there. If two arrive at the same moment, it may be false for both. */
static bool is_last(const pthread_barrier_t *barrier) {
  const struct barrier *inside = (const void *) barrier;
  uint32_t round = __atomic_load_n(&inside->round, __ATOMIC_ACQUIRE);
  uint32_t in = __atomic_load_n(&inside->in, __ATOMIC_RELAXED);
  return in - round + 1 == inside->count;
}

EXPORTED int pthread_barrier_wait(pthread_barrier_t *barrier) {
  uint8_t state = op_state(BARRIER_WAIT);
  if (RARELY(state == 0)) {
    return REAL(pthread_barrier_wait)(barrier);
  }
  struct wait wait = {.op = BARRIER_WAIT, .kind = BARRIER, .object = barrier, .caller = CALLER, .state = state};
  bool last = is_last(barrier);
  if (last) {
    ky_wait_track(&wait);
  } else {
    ky_wait_begin(&wait, 0);
  }
  lets_go_on(barrier); /* the last thread to arrive lets all others continue */
  int result = ky_real.pthread_barrier_wait(barrier);
  if (last && result == PTHREAD_BARRIER_SERIAL_THREAD) {
    op_returned(BARRIER_WAIT, state, barrier, CALLER, result);
  } else {
    ky_wait_end(&wait, result, result == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : ky_releaser(barrier));
  }
  return result;
}

/* Values of the thread library's own structure, which programs are compiled with. */
enum { ONCE_RUNS = 1, ONCE_IS_DONE = 2 };

struct once {
  pthread_once_t *control;
  void (*routine)(void);
  struct wait *wait;
};

static _Thread_local struct once next;

/* Ends the state before the program's routine, which may take long, be cancelled or be left by an exception, and is not
 * a wait. */
static void run(void) {
  struct once once = next;
  ky_wait_end_state(once.wait, 0);
  once.routine();
  lets_go_on(once.control);
}

EXPORTED int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  uint8_t state = op_state(ONCE);
  int before = __atomic_load_n((int *) control, __ATOMIC_ACQUIRE);
  if (RARELY(state == 0)) {
    return REAL(pthread_once)(control, routine);
  }
  if ((before & ONCE_IS_DONE) != 0) {
    int result = ky_real.pthread_once(control, routine);
    op_returned(ONCE, state, control, CALLER, result);
    return result;
  }
  struct wait wait = {.op = ONCE, .kind = ONCE_ONLY, .object = control, .caller = CALLER, .state = state};
  if ((before & ONCE_RUNS) != 0) {
    ky_wait_begin(&wait, 0);
  }
  struct once outer = next;
  next = (struct once) {control, routine, &wait};
  int result = ky_real.pthread_once(control, run);
  next = outer;
  if (wait.begin != 0) {
    ky_wait_end(&wait, result, ky_releaser(control));
  } else {
    op_returned(ONCE, state, control, CALLER, result);
  }
  return result;
}
