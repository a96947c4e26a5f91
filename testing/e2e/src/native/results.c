/* Prints what the thread library returns for every kind of mutex and lock, in ways right and wrong. With and
 * without a recorder it must print the same. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_rwlock_t rwlock;

static struct timespec in_millis(clockid_t clock, long millis) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += millis * 1000000;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static void show(const char *what, int result) {
  printf(" %s=%s", what, result == 0 ? "0" : result == -1 ? "-1" : strerrorname_np(result));
}

static void *in_thread(void *(*run)(void *), void *argument) {
  pthread_t thread;
  void *result = NULL;
  int created = pthread_create(&thread, NULL, run, argument);
  int joined = pthread_join(thread, &result);
  show("create", created);
  show("join", joined);
  return result;
}

static void *of_another(void *unused) {
  struct timespec soon = in_millis(CLOCK_REALTIME, 5);
  struct timespec soon_too = in_millis(CLOCK_MONOTONIC, 5);
  struct timespec never = {0, -1};
  show("other.trylock", pthread_mutex_trylock(&mutex));
  show("other.timedlock", pthread_mutex_timedlock(&mutex, &soon));
  show("other.clocklock", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon_too));
  show("other.invalid", pthread_mutex_timedlock(&mutex, &never));
  show("other.unlock", pthread_mutex_unlock(&mutex));
  return unused;
}

static void *dies(void *unused) {
  show("dies.lock", pthread_mutex_lock(&mutex));
  return unused;
}

static void one_mutex(int type, int robust, int protocol, int shared) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robust);
  pthread_mutexattr_setpshared(&attributes, shared);
  printf("mutex type=%d robust=%d protocol=%d shared=%d", type, robust, protocol, shared);
  show("protocol", pthread_mutexattr_setprotocol(&attributes, protocol));
  int made = pthread_mutex_init(&mutex, &attributes);
  show("init", made);
  if (made != 0) {
    printf("\n");
    return;
  }
  struct timespec never = {0, 1000000000};
  struct timespec soon = in_millis(CLOCK_REALTIME, 5);
  show("invalid", pthread_mutex_timedlock(&mutex, &never));
  show("unlock", pthread_mutex_unlock(&mutex));
  show("badclock", pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
  show("lock", pthread_mutex_lock(&mutex));
  show("again.trylock", pthread_mutex_trylock(&mutex));
  if (type != PTHREAD_MUTEX_NORMAL && type != PTHREAD_MUTEX_ADAPTIVE_NP) {
    show("again.lock", pthread_mutex_lock(&mutex));
    show("again.timedlock", pthread_mutex_timedlock(&mutex, &soon));
  }
  in_thread(of_another, NULL);
  show("unlock", pthread_mutex_unlock(&mutex));
  while (type == PTHREAD_MUTEX_RECURSIVE && pthread_mutex_unlock(&mutex) == 0) {
    printf(" more");
  }
  if (robust == PTHREAD_MUTEX_ROBUST) {
    in_thread(dies, NULL);
    show("dead.lock", pthread_mutex_lock(&mutex));
    show("consistent", pthread_mutex_consistent(&mutex));
    show("unlock", pthread_mutex_unlock(&mutex));
    in_thread(dies, NULL);
    show("dead.trylock", pthread_mutex_trylock(&mutex));
    show("unlock", pthread_mutex_unlock(&mutex));
    show("lost.lock", pthread_mutex_lock(&mutex));
    show("lost.trylock", pthread_mutex_trylock(&mutex));
    show("lost.timedlock", pthread_mutex_timedlock(&mutex, &soon));
  }
  show("destroy", pthread_mutex_destroy(&mutex));
  printf(" errno=%d\n", errno);
}

static void *locks_of_another(void *unused) {
  struct timespec soon = in_millis(CLOCK_REALTIME, 5);
  show("other.tryrd", pthread_rwlock_tryrdlock(&rwlock));
  show("other.trywr", pthread_rwlock_trywrlock(&rwlock));
  show("other.timedrd", pthread_rwlock_timedrdlock(&rwlock, &soon));
  show("other.timedwr", pthread_rwlock_timedwrlock(&rwlock, &soon));
  return unused;
}

static void one_rwlock(int kind) {
  struct timespec never = {0, -1};
  struct timespec soon = in_millis(CLOCK_MONOTONIC, 5);
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, kind);
  pthread_rwlock_init(&rwlock, &attributes);
  printf("rwlock kind=%d", kind);
  show("wr", pthread_rwlock_wrlock(&rwlock));
  show("again.wr", pthread_rwlock_wrlock(&rwlock));
  show("again.rd", pthread_rwlock_rdlock(&rwlock));
  show("again.clockrd", pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &soon));
  in_thread(locks_of_another, NULL);
  show("unlock", pthread_rwlock_unlock(&rwlock));
  show("invalid", pthread_rwlock_timedwrlock(&rwlock, &never));
  show("badclock", pthread_rwlock_clockwrlock(&rwlock, 99, &soon));
  show("rd", pthread_rwlock_rdlock(&rwlock));
  show("trywr", pthread_rwlock_trywrlock(&rwlock));
  show("clockwr", pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &soon));
  show("unlock", pthread_rwlock_unlock(&rwlock));
  show("destroy", pthread_rwlock_destroy(&rwlock));
  printf(" errno=%d\n", errno);
}

static void semaphores(void) {
  sem_t semaphore;
  struct timespec never = {0, 1000000000};
  struct timespec soon = in_millis(CLOCK_REALTIME, 5);
  sem_init(&semaphore, 0, 2);
  errno = 7;
  printf("semaphore");
  show("wait", sem_wait(&semaphore));
  show("errno", errno);
  show("invalid", sem_timedwait(&semaphore, &never));
  show("errno", errno);
  show("trywait", sem_trywait(&semaphore));
  show("trywait", sem_trywait(&semaphore));
  show("errno", errno);
  show("timedwait", sem_timedwait(&semaphore, &soon));
  show("errno", errno);
  show("badclock", sem_clockwait(&semaphore, 99, &soon));
  show("errno", errno);
  sem_destroy(&semaphore);
  sem_init(&semaphore, 0, 0x7FFFFFFF);
  show("overflow", sem_post(&semaphore));
  show("errno", errno);
  printf("\n");
}

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;

static void conditions(void) {
  struct timespec soon = in_millis(CLOCK_REALTIME, 5);
  struct timespec soon_too = in_millis(CLOCK_MONOTONIC, 5);
  struct timespec never = {0, -1};
  printf("condition");
  pthread_mutex_lock(&plain);
  show("timedwait", pthread_cond_timedwait(&condition, &plain, &soon));
  show("clockwait", pthread_cond_clockwait(&condition, &plain, CLOCK_MONOTONIC, &soon_too));
  show("invalid", pthread_cond_timedwait(&condition, &plain, &never));
  show("held", pthread_mutex_trylock(&plain));
  pthread_mutex_unlock(&plain);
  show("signal", pthread_cond_signal(&condition));
  show("broadcast", pthread_cond_broadcast(&condition));
  printf(" errno=%d\n", errno);
}

static void *sleeps(void *unused) {
  pthread_mutex_lock(&plain);
  pthread_cond_wait(&condition, &plain);
  return unused;
}

static void *joins_itself(void *unused) {
  show("self.join", pthread_join(pthread_self(), NULL));
  return unused;
}

static void *exits(void *value) {
  pthread_exit(value);
}

static void threads(void) {
  struct timespec soon = in_millis(CLOCK_REALTIME, 5);
  pthread_t thread;
  void *result;
  printf("threads");
  show("create", pthread_create(&thread, NULL, sleeps, NULL));
  show("tryjoin", pthread_tryjoin_np(thread, &result));
  show("timedjoin", pthread_timedjoin_np(thread, &result, &soon));
  show("cancel", pthread_cancel(thread));
  show("join", pthread_join(thread, &result));
  printf(" cancelled=%d", result == PTHREAD_CANCELED);
  show("held", pthread_mutex_trylock(&plain)); /* a cancelled wait has it again, here for ever */
  in_thread(joins_itself, NULL);
  printf(" exit=%ld", (long) in_thread(exits, (void *) 42));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  show("create", pthread_create(&thread, &attributes, exits, NULL));
  struct sched_param priority = {.sched_priority = 1000};
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedparam(&attributes, &priority);
  pthread_attr_setstacksize(&attributes, (size_t) 1 << 46);
  show("huge", pthread_create(&thread, &attributes, exits, NULL));
  printf("\n");
}

int main(void) {
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  for (int type = PTHREAD_MUTEX_TIMED_NP; type <= PTHREAD_MUTEX_ADAPTIVE_NP; type++) {
    for (int robust = 0; robust < 2; robust++) {
      for (int protocol = PTHREAD_PRIO_NONE; protocol <= PTHREAD_PRIO_PROTECT; protocol++) {
        for (int shared = 0; shared < 2; shared++) {
          one_mutex(type, robust, protocol, shared);
        }
      }
    }
  }
  for (int kind = 0; kind < 3; kind++) {
    one_rwlock(kind);
  }
  semaphores();
  conditions();
  threads();
  return 5;
}
