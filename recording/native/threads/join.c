/* Waiting for a thread's end, and asking for it. */
#include "locking.h"

static int end(const struct wait *wait, int result) {
  ky_wait_end(wait, result, result == 0 ? ky_releaser(wait->object) : 0);
  return result;
}

static void cancelled(void *argument) {
  ky_wait_end(argument, ECANCELED, 0);
}

/* The attempt joins a thread that has ended; joining it is not a cancellation point then, either. */
#define JOINING(may_try, call) \
  uint8_t state = op_state(JOIN); \
  if (state == 0 || ky_own_work) { \
    return call; \
  } \
  const void *object = (const void *) thread; \
  volatile int result = (may_try) ? ky_real.pthread_tryjoin_np(thread, value) : EBUSY; \
  if (result != EBUSY) { \
    op_returned(JOIN, state, object, CALLER, result); \
    return result; \
  } \
  struct wait wait = {.op = JOIN, .kind = THREAD_END, .object = object, .caller = CALLER, .state = state}; \
  ky_wait_begin(&wait, 0); \
  pthread_cleanup_push(cancelled, &wait); \
  result = call; \
  pthread_cleanup_pop(0); \
  return end(&wait, result)

EXPORTED int pthread_join(pthread_t thread, void **value) {
  JOINING(true, REAL(pthread_join)(thread, value));
}

EXPORTED int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until) {
  JOINING(is_time(until), REAL(pthread_timedjoin_np)(thread, value, until));
}

EXPORTED int pthread_clockjoin_np(
    pthread_t thread, void **value, clockid_t clock, const struct timespec *until) {
  JOINING(is_time(until) && is_clock(clock), REAL(pthread_clockjoin_np)(thread, value, clock, until));
}

EXPORTED int pthread_tryjoin_np(pthread_t thread, void **value) {
  TRYING(JOIN, (const void *) thread, REAL(pthread_tryjoin_np)(thread, value));
}

EXPORTED int pthread_detach(pthread_t thread) {
  uint8_t state = op_state(DETACH);
  int result = REAL(pthread_detach)(thread);
  if (state != 0) {
    op_done(DETACH, state, 0, (const void *) thread, CALLER, result);
  }
  return result;
}

EXPORTED int pthread_cancel(pthread_t thread) {
  uint8_t state = op_state(CANCEL);
  uint64_t at = ticks(state);
  if (state == 0) {
    return REAL(pthread_cancel)(thread);
  }
  int result = ky_real.pthread_cancel(thread);
  op_done(CANCEL, state, at, (const void *) thread, CALLER, result);
  return result;
}
