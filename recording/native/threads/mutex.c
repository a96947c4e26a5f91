/* Mutexes. */
#include "locking.h"

/* Kinds and flags of mutexes in the thread library's structure, which programs are compiled with. */
enum { ROBUST = 0x10, PROTECT = 0x40, ELISION = 0x300, OWNER_DIED = 0x40000000 };

/* The kernel's number of the thread that holds it. */
static uint32_t holder(const pthread_mutex_t *mutex) {
  return (uint32_t) __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
}

static bool is_own(const pthread_mutex_t *mutex) {
  return ky_ring != NULL && holder(mutex) == ky_ring->tid;
}

/* An attempt on a robust mutex whose owner died does more than locking it; on a mutex with a priority ceiling it would
 * change the thread's priority; a lock that may be a transaction is left alone. A mutex that checks for errors does not
 * wait for its own thread. */
static inline bool may_try(const pthread_mutex_t *mutex) {
  int kind = __atomic_load_n(&mutex->__data.__kind, __ATOMIC_RELAXED);
  if (RARELY((kind & (ROBUST | PROTECT | ELISION)) != 0)) {
    return false;
  }
  return (kind & 3) != PTHREAD_MUTEX_ERRORCHECK || !is_own(mutex);
}

/* Whether the thread probably has to wait for a mutex that may not be tried. */
static bool is_held(const pthread_mutex_t *mutex) {
  uint32_t owner = holder(mutex);
  bool lost = owner >= INT32_MAX - 1;
  bool died = (__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) & OWNER_DIED) != 0
      && (mutex->__data.__kind & ROBUST) != 0;
  return owner != 0 && !lost && !died && !is_own(mutex);
}

static void begin(struct wait *wait, const pthread_mutex_t *mutex, uint32_t *held_by) {
  wait->kind = MUTEX;
  *held_by = holder(mutex);
  ky_wait_begin(wait, 0);
}

static int end(const struct wait *wait, const pthread_mutex_t *mutex, uint32_t held_by, int result) {
  uint32_t other = result == 0 ? ky_releaser(mutex) : 0;
  ky_wait_end(wait, result, other != 0 || result == EDEADLK ? other : ky_holder(held_by));
  return result;
}

static OUT_OF_LINE int lock(struct wait *wait, pthread_mutex_t *mutex) {
  uint32_t held_by;
  begin(wait, mutex, &held_by);
  return end(wait, mutex, held_by, ky_real.pthread_mutex_lock(mutex));
}

static OUT_OF_LINE int timedlock(
    struct wait *wait, pthread_mutex_t *mutex, const struct timespec *until) {
  uint32_t held_by;
  begin(wait, mutex, &held_by);
  return end(wait, mutex, held_by, ky_real.pthread_mutex_timedlock(mutex, until));
}

static OUT_OF_LINE int clocklock(
    struct wait *wait, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  uint32_t held_by;
  begin(wait, mutex, &held_by);
  return end(wait, mutex, held_by, ky_real.pthread_mutex_clocklock(mutex, clock, until));
}

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex) {
  LOCKING(MUTEX_LOCK, mutex, may_try(mutex), is_held(mutex), ky_real.pthread_mutex_trylock(mutex),
      REAL(pthread_mutex_lock)(mutex), lock, mutex);
}

EXPORTED int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
  LOCKING(MUTEX_TIMEDLOCK, mutex, may_try(mutex) && is_time(until), is_held(mutex),
      ky_real.pthread_mutex_trylock(mutex), REAL(pthread_mutex_timedlock)(mutex, until), timedlock,
      mutex, until);
}

EXPORTED int pthread_mutex_clocklock(
    pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  LOCKING(MUTEX_TIMEDLOCK, mutex, may_try(mutex) && is_time(until) && is_clock(clock), is_held(mutex),
      ky_real.pthread_mutex_trylock(mutex), REAL(pthread_mutex_clocklock)(mutex, clock, until),
      clocklock, mutex, clock, until);
}

EXPORTED int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  TRYING(MUTEX_TRYLOCK, mutex, REAL(pthread_mutex_trylock)(mutex));
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  LETTING(MUTEX_UNLOCK, mutex, REAL(pthread_mutex_unlock)(mutex));
}
