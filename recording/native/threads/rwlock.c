/* Locks for readers and writers, and spinlocks. */
#include "locking.h"

static int end(const struct wait *wait, int result) {
  ky_wait_end(wait, result, result == 0 ? ky_releaser(wait->object) : 0);
  return result;
}

static void begin(struct wait *wait) {
  wait->kind = RWLOCK;
  ky_wait_begin(wait, 0);
}

/* The same four functions for readers and for writers. */
#define SIDE(side, operation, timed_operation, try_operation) \
  static OUT_OF_LINE int side##_waits(struct wait *wait, pthread_rwlock_t *rwlock) { \
    begin(wait); \
    return end(wait, ky_real.pthread_rwlock_##side(rwlock)); \
  } \
\
  static OUT_OF_LINE int side##_waits_until( \
      struct wait *wait, pthread_rwlock_t *rwlock, const struct timespec *until) { \
    begin(wait); \
    return end(wait, ky_real.pthread_rwlock_timed##side(rwlock, until)); \
  } \
\
  static OUT_OF_LINE int side##_waits_by( \
      struct wait *wait, pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *until) { \
    begin(wait); \
    return end(wait, ky_real.pthread_rwlock_clock##side(rwlock, clock, until)); \
  } \
\
  EXPORTED int pthread_rwlock_##side(pthread_rwlock_t *rwlock) { \
    LOCKING(operation, rwlock, true, false, ky_real.pthread_rwlock_try##side(rwlock), \
        REAL(pthread_rwlock_##side)(rwlock), side##_waits, rwlock); \
  } \
\
  EXPORTED int pthread_rwlock_timed##side(pthread_rwlock_t *rwlock, const struct timespec *until) { \
    LOCKING(timed_operation, rwlock, is_time(until), false, ky_real.pthread_rwlock_try##side(rwlock), \
        REAL(pthread_rwlock_timed##side)(rwlock, until), side##_waits_until, rwlock, until); \
  } \
\
  EXPORTED int pthread_rwlock_clock##side( \
      pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *until) { \
    LOCKING(timed_operation, rwlock, is_time(until) && is_clock(clock), false, \
        ky_real.pthread_rwlock_try##side(rwlock), REAL(pthread_rwlock_clock##side)(rwlock, clock, until), \
        side##_waits_by, rwlock, clock, until); \
  } \
\
  EXPORTED int pthread_rwlock_try##side(pthread_rwlock_t *rwlock) { \
    TRYING(try_operation, rwlock, REAL(pthread_rwlock_try##side)(rwlock)); \
  }

SIDE(rdlock, RWLOCK_RDLOCK, RWLOCK_TIMEDRDLOCK, RWLOCK_TRYRDLOCK)
SIDE(wrlock, RWLOCK_WRLOCK, RWLOCK_TIMEDWRLOCK, RWLOCK_TRYWRLOCK)

EXPORTED int pthread_rwlock_unlock(pthread_rwlock_t *rwlock) {
  LETTING(RWLOCK_UNLOCK, rwlock, REAL(pthread_rwlock_unlock)(rwlock));
}

static OUT_OF_LINE int spins(struct wait *wait, pthread_spinlock_t *spinlock) {
  wait->kind = SPINLOCK;
  ky_wait_begin(wait, 0);
  return end(wait, ky_real.pthread_spin_lock(spinlock));
}

EXPORTED int pthread_spin_lock(pthread_spinlock_t *spinlock) {
  LOCKING(SPIN_LOCK, spinlock, true, false, ky_real.pthread_spin_trylock(spinlock),
      REAL(pthread_spin_lock)(spinlock), spins, spinlock);
}

EXPORTED int pthread_spin_trylock(pthread_spinlock_t *spinlock) {
  TRYING(SPIN_TRYLOCK, spinlock, REAL(pthread_spin_trylock)(spinlock));
}

EXPORTED int pthread_spin_unlock(pthread_spinlock_t *spinlock) {
  LETTING(SPIN_UNLOCK, spinlock, REAL(pthread_spin_unlock)(spinlock));
}
