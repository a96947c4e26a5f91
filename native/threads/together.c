/* Barriers, and what is done once. */
#include "locking.h"

EXPORTED int pthread_barrier_wait(pthread_barrier_t *barrier) {
  uint8_t state = op_state(BARRIER_WAIT);
  if (RARELY(state == 0)) {
    return REAL(pthread_barrier_wait)(barrier);
  }
  struct wait wait = {.op = BARRIER_WAIT, .kind = BARRIER, .object = barrier, .caller = CALLER, .state = state};
  ky_wait_begin(&wait, 0);
  lets_go_on(barrier); /* the last one to come lets all others go on */
  int result = ky_real.pthread_barrier_wait(barrier);
  ky_wait_end(&wait, result, ky_releaser(barrier));
  return result;
}

/* What the thread library's own structure says, as programs are built with it. */
enum { ONCE_RUNS = 1, ONCE_IS_DONE = 2 };

struct once {
  pthread_once_t *control;
  void (*routine)(void);
  struct wait *wait;
};

static _Thread_local struct once next;

/* What may take long, be cancelled or left by an exception is the program's, and no waiting. */
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
