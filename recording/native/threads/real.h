/* The thread library's own functions, which the wrappers of the same name call. */
#ifndef KYMO_REAL_H
#define KYMO_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

/* Each: name, result, parameters. */
#define PTHREAD_FUNCTIONS(X) \
  X(pthread_create, int, (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *)) \
  X(pthread_exit, void, (void *)) \
  X(pthread_join, int, (pthread_t, void **)) \
  X(pthread_tryjoin_np, int, (pthread_t, void **)) \
  X(pthread_timedjoin_np, int, (pthread_t, void **, const struct timespec *)) \
  X(pthread_clockjoin_np, int, (pthread_t, void **, clockid_t, const struct timespec *)) \
  X(pthread_detach, int, (pthread_t)) \
  X(pthread_cancel, int, (pthread_t)) \
  X(pthread_mutex_lock, int, (pthread_mutex_t *)) \
  X(pthread_mutex_trylock, int, (pthread_mutex_t *)) \
  X(pthread_mutex_timedlock, int, (pthread_mutex_t *, const struct timespec *)) \
  X(pthread_mutex_clocklock, int, (pthread_mutex_t *, clockid_t, const struct timespec *)) \
  X(pthread_mutex_unlock, int, (pthread_mutex_t *)) \
  X(pthread_rwlock_rdlock, int, (pthread_rwlock_t *)) \
  X(pthread_rwlock_tryrdlock, int, (pthread_rwlock_t *)) \
  X(pthread_rwlock_timedrdlock, int, (pthread_rwlock_t *, const struct timespec *)) \
  X(pthread_rwlock_clockrdlock, int, (pthread_rwlock_t *, clockid_t, const struct timespec *)) \
  X(pthread_rwlock_wrlock, int, (pthread_rwlock_t *)) \
  X(pthread_rwlock_trywrlock, int, (pthread_rwlock_t *)) \
  X(pthread_rwlock_timedwrlock, int, (pthread_rwlock_t *, const struct timespec *)) \
  X(pthread_rwlock_clockwrlock, int, (pthread_rwlock_t *, clockid_t, const struct timespec *)) \
  X(pthread_rwlock_unlock, int, (pthread_rwlock_t *)) \
  X(pthread_spin_lock, int, (pthread_spinlock_t *)) \
  X(pthread_spin_trylock, int, (pthread_spinlock_t *)) \
  X(pthread_spin_unlock, int, (pthread_spinlock_t *)) \
  X(pthread_cond_wait, int, (pthread_cond_t *, pthread_mutex_t *)) \
  X(pthread_cond_timedwait, int, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *)) \
  X(pthread_cond_clockwait, int, \
      (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)) \
  X(pthread_cond_signal, int, (pthread_cond_t *)) \
  X(pthread_cond_broadcast, int, (pthread_cond_t *)) \
  X(pthread_barrier_wait, int, (pthread_barrier_t *)) \
  X(pthread_once, int, (pthread_once_t *, void (*)(void))) \
  X(sem_wait, int, (sem_t *)) \
  X(sem_trywait, int, (sem_t *)) \
  X(sem_timedwait, int, (sem_t *, const struct timespec *)) \
  X(sem_clockwait, int, (sem_t *, clockid_t, const struct timespec *)) \
  X(sem_post, int, (sem_t *))

#define MEMBER(name, result, parameters) result(*name) parameters;
struct real {
  PTHREAD_FUNCTIONS(MEMBER)
};
#undef MEMBER

extern struct real ky_real;

/* Finds them all. */
void ky_real_find(void);

/* A function of the thread library, which is found first if nothing of this library has run yet. */
#define REAL(name) (*(__builtin_expect(ky_real.name == NULL, 0) ? (ky_real_find(), ky_real.name) : ky_real.name))

#endif
