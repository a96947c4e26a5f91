/* Condition variables. A wait releases the mutex and holds it again at its end, also if the thread is cancelled. */
#include "locking.h"

/* Programs for x86-64 use this version; programs from before 2003 use another one, which is not wrapped. ARM64 has only
 * one. */
#if defined(__x86_64__)
#define WRAPPED(name) wrapped_##name
#define VERSIONED(name) __asm__(".symver wrapped_" #name "," #name "@@GLIBC_2.3.2")
#else
#define WRAPPED(name) name
#endif

static void begin(struct wait *wait, enum op op, uint8_t state, pthread_mutex_t *mutex) {
  record_op(op, state, 0, 24, OBJECT(wait->object), wait->caller, OBJECT(mutex), 0);
  wait->op = COND_WOKEN;
  wait->kind = CONDITION;
  wait->state = state;
  wait->mutex = OBJECT(mutex);
  ky_wait_begin(wait, 0);
  lets_go_on(mutex);
}

static int end(const struct wait *wait, int result) {
  ky_wait_end(wait, result, result == 0 ? ky_releaser(wait->object) : 0);
  return result;
}

static void cancelled(void *argument) {
  ky_wait_end(argument, ECANCELED, 0);
}

#define WAITING(operation, mutex, call) \
  uint8_t state = op_state(operation); \
  if (RARELY(state == 0)) { \
    return call; \
  } \
  volatile int result; \
  struct wait wait = {.object = condition, .caller = CALLER}; \
  begin(&wait, operation, state, mutex); \
  pthread_cleanup_push(cancelled, &wait); \
  result = call; \
  pthread_cleanup_pop(0); \
  return end(&wait, result)

int WRAPPED(pthread_cond_wait)(pthread_cond_t *condition, pthread_mutex_t *mutex);
int WRAPPED(pthread_cond_timedwait)(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
int WRAPPED(pthread_cond_signal)(pthread_cond_t *condition);
int WRAPPED(pthread_cond_broadcast)(pthread_cond_t *condition);
#if defined(VERSIONED)
VERSIONED(pthread_cond_wait);
VERSIONED(pthread_cond_timedwait);
VERSIONED(pthread_cond_signal);
VERSIONED(pthread_cond_broadcast);
#endif

EXPORTED int WRAPPED(pthread_cond_wait)(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  WAITING(COND_WAIT, mutex, REAL(pthread_cond_wait)(condition, mutex));
}

EXPORTED int WRAPPED(pthread_cond_timedwait)(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  WAITING(COND_TIMEDWAIT, mutex, REAL(pthread_cond_timedwait)(condition, mutex, until));
}

EXPORTED int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  WAITING(COND_TIMEDWAIT, mutex, REAL(pthread_cond_clockwait)(condition, mutex, clock, until));
}

EXPORTED int WRAPPED(pthread_cond_signal)(pthread_cond_t *condition) {
  LETTING(COND_SIGNAL, condition, REAL(pthread_cond_signal)(condition));
}

EXPORTED int WRAPPED(pthread_cond_broadcast)(pthread_cond_t *condition) {
  LETTING(COND_BROADCAST, condition, REAL(pthread_cond_broadcast)(condition));
}
