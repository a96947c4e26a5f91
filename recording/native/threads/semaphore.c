/* Semaphores. Their waits are cancellation points even if they need not wait. Errors are in errno, which is recorded as
 * the result. */
#include "locking.h"

static int end(const struct wait *wait, int result) {
  int error = result == 0 ? 0 : errno;
  ky_wait_end(wait, error, result == 0 ? ky_releaser(wait->object) : 0);
  return result;
}

static void cancelled(void *argument) {
  ky_wait_end(argument, ECANCELED, 0);
}

/* Does what a wait does first in the thread library; true if the semaphore is acquired. */
static inline bool got(sem_t *semaphore) {
  int error = errno;
  pthread_testcancel();
  bool got = ky_real.sem_trywait(semaphore) == 0;
  errno = error;
  return got;
}

#define WAITING(operation, may_try, call) \
  uint8_t state = op_state(operation); \
  if (RARELY(state == 0)) { \
    return call; \
  } \
  if ((may_try) && got(semaphore)) { \
    op_returned(operation, state, semaphore, CALLER, 0); \
    return 0; \
  } \
  volatile int result; \
  struct wait wait = {.op = operation, .kind = SEMAPHORE, .object = semaphore, .caller = CALLER, .state = state}; \
  ky_wait_begin(&wait, 0); \
  pthread_cleanup_push(cancelled, &wait); \
  result = call; \
  pthread_cleanup_pop(0); \
  return end(&wait, result)

EXPORTED int sem_wait(sem_t *semaphore) {
  WAITING(SEM_WAIT, true, REAL(sem_wait)(semaphore));
}

EXPORTED int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  WAITING(SEM_TIMEDWAIT, is_time(until), REAL(sem_timedwait)(semaphore, until));
}

EXPORTED int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  WAITING(SEM_TIMEDWAIT, is_time(until) && is_clock(clock), REAL(sem_clockwait)(semaphore, clock, until));
}

EXPORTED int sem_trywait(sem_t *semaphore) {
  uint8_t state = op_state(SEM_TRYWAIT);
  int result = REAL(sem_trywait)(semaphore);
  if (state != 0) {
    op_returned(SEM_TRYWAIT, state, semaphore, CALLER, result == 0 ? 0 : errno);
  }
  return result;
}

EXPORTED int sem_post(sem_t *semaphore) {
  uint8_t state = op_state(SEM_POST);
  if (RARELY(state == 0)) {
    return REAL(sem_post)(semaphore);
  }
  uint64_t at = ticks(state);
  lets_go_on(semaphore);
  int result = REAL(sem_post)(semaphore);
  op_done(SEM_POST, state, at, semaphore, CALLER, result == 0 ? 0 : errno);
  return result;
}
