/*
 * Does with threads what is to be told of locks, and records the events that tell of it, around real
 * operations. Turns are taken by a counter that the threads look at, so that each run does the same.
 * The first argument says what to do.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <kymo.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define ACQUIRE "u64 object; u64 caller; i32 result; u64 waited;"
#define RELEASE "u64 object; u64 caller; i32 result;"

struct __attribute__((packed)) operation {
  uint64_t object;
  uint64_t caller;
  int32_t result;
  uint64_t waited;
  uint64_t mutex;
};

enum { LOCK, TRYLOCK, UNLOCK, RDLOCK, WRLOCK, RWUNLOCK, WAIT, WOKEN, SIGNAL, SEM_WAIT, SEM_POST, EVENTS };

static uint32_t numbers[EVENTS];
static uint32_t name_number;
static uint32_t first;
static uint32_t first_done;
static uint32_t second;
static uint32_t second_done;
static _Atomic int turn;

/* What the turn becomes when a thread is about to wait; 0 = nothing. */
static int waits_turn;

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t slots;

static uint32_t define(uint16_t id, const char *name, const char *fields) {
  return kymo_event_define("pthread", 9, "", "", id, name, KYMO_INSTANT, "", "", fields);
}

static void define_all(void) {
  static const char *names[EVENTS] = {"mutex_lock", "mutex_trylock", "mutex_unlock", "rwlock_rdlock",
      "rwlock_wrlock", "rwlock_unlock", "cond_wait", "cond_woken", "cond_signal", "sem_wait", "sem_post"};
  for (int i = 0; i < EVENTS; i++) {
    int release = i == UNLOCK || i == RWUNLOCK || i == SIGNAL || i == SEM_POST;
    const char *fields = release ? RELEASE : ACQUIRE;
    fields = i == WAIT ? "u64 object; u64 caller; u64 mutex;" : fields;
    fields = i == WOKEN ? ACQUIRE "u64 mutex;" : fields;
    numbers[i] = define((uint16_t) i, names[i], fields);
  }
  name_number = define(EVENTS, "name", "u64 object; str name;");
  first = kymo_event_define("steps", 8, "", "", 1, "first", KYMO_BEGIN, "", "", "");
  first_done = kymo_event_define("steps", 8, "", "", 2, "first_done", KYMO_END, "first", "", "");
  second = kymo_event_define("steps", 8, "", "", 3, "second", KYMO_BEGIN, "", "", "");
  second_done = kymo_event_define("steps", 8, "", "", 4, "second_done", KYMO_END, "second", "", "");
}

static void name(const void *object, const char *text) {
  unsigned char data[64];
  uint16_t size = (uint16_t) strlen(text);
  memcpy(data, &object, 8);
  memcpy(data + 8, &size, 2);
  memcpy(data + 10, text, size);
  kymo_event_data(name_number, data, 10u + size);
}

/* Ticks of the recording's clock: it is recorded with --clock monotonic. */
static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

__attribute__((noinline)) static void tell(int event, const void *object, int result, uint64_t waited, const void *mutex) {
  struct operation o = {(uintptr_t) object, (uintptr_t) __builtin_return_address(0), result, waited,
      (uintptr_t) mutex};
  size_t size = event == WOKEN ? sizeof o : sizeof o - 8;
  size = event == UNLOCK || event == RWUNLOCK || event == SIGNAL || event == SEM_POST ? 20 : size;
  if (event == WAIT) {
    memcpy((unsigned char *) &o + 16, &o.mutex, 8);
    size = 24;
  }
  kymo_event_data(numbers[event], &o, size);
}

static void lock(pthread_mutex_t *m) {
  uint64_t waited = 0;
  if (pthread_mutex_trylock(m) != 0) {
    uint64_t begin = now();
    if (waits_turn) {
      turn = waits_turn;
    }
    pthread_mutex_lock(m);
    waited = now() - begin;
  }
  tell(LOCK, m, 0, waited, NULL);
}

static void unlock(pthread_mutex_t *m) {
  tell(UNLOCK, m, 0, 0, NULL);
  pthread_mutex_unlock(m);
}

static void await(int value) {
  while (turn < value) {
    usleep(100);
  }
}

static void millis(int number) {
  struct timespec time = {0, number * 1000000L};
  while (nanosleep(&time, &time) != 0) {
  }
}

static void *start(void *(*run)(void *), const char *called) {
  pthread_t *thread = malloc(sizeof *thread);
  if (pthread_create(thread, NULL, run, (void *) called) != 0) {
    abort();
  }
  return thread;
}

static void join(void *thread) {
  pthread_join(*(pthread_t *) thread, NULL);
  free(thread);
}

/* Has a until 20 ms after the other one wanted it. */
static void *holder(void *called) {
  prctl(PR_SET_NAME, called);
  kymo_enter_event(first);
  lock(&a);
  turn = 1;
  await(2);
  millis(20);
  unlock(&a);
  kymo_leave_event(first_done);
  return NULL;
}

static void *waiter(void *called) {
  prctl(PR_SET_NAME, called);
  await(1);
  tell(TRYLOCK, &a, EBUSY, 0, NULL);
  kymo_enter_event(second);
  lock(&a);
  unlock(&a);
  kymo_leave_event(second_done);
  return NULL;
}

static void contention(void) {
  name(&a, "queue");
  waits_turn = 2;
  void *one = start(holder, "holder");
  void *other = start(waiter, "waiter");
  join(one);
  join(other);
}

/* One thread takes the queue, then the log; the other one later the log, then the queue. Nothing happens. */
static void *forward(void *called) {
  prctl(PR_SET_NAME, called);
  lock(&a);
  lock(&b);
  unlock(&b);
  unlock(&a);
  turn = 1;
  return NULL;
}

static void *backward(void *called) {
  prctl(PR_SET_NAME, called);
  await(1);
  lock(&b);
  lock(&a);
  unlock(&a);
  unlock(&b);
  return NULL;
}

static void cycle(void) {
  name(&a, "queue");
  name(&b, "log");
  void *one = start(forward, "forward");
  void *other = start(backward, "backward");
  join(one);
  join(other);
}

/* All kinds, as often as the numbers say, by one thread. */
static void kinds(void) {
  sem_init(&slots, 0, 3);
  name(&again, "again");
  for (int i = 0; i < 10; i++) {
    lock(&again);
    lock(&again);
    unlock(&again);
    unlock(&again);
  }
  for (int i = 0; i < 3; i++) {
    pthread_rwlock_rdlock(&table);
    tell(RDLOCK, &table, 0, 0, NULL);
  }
  for (int i = 0; i < 3; i++) {
    tell(RWUNLOCK, &table, 0, 0, NULL);
    pthread_rwlock_unlock(&table);
  }
  pthread_rwlock_wrlock(&table);
  tell(WRLOCK, &table, 0, 0, NULL);
  tell(RWUNLOCK, &table, 0, 0, NULL);
  pthread_rwlock_unlock(&table);
  for (int i = 0; i < 3; i++) {
    sem_wait(&slots);
    tell(SEM_WAIT, &slots, 0, 0, NULL);
  }
  tell(SEM_POST, &slots, 0, 0, NULL);
  sem_post(&slots);
  lock(&a); /* and keeps it */
}

/* Waits for a condition until another thread signals it. */
static void *sleeper(void *called) {
  prctl(PR_SET_NAME, called);
  lock(&a);
  turn = 1;
  while (turn < 2) {
    tell(WAIT, &ready, 0, 0, &a);
    uint64_t begin = now();
    int result = pthread_cond_wait(&ready, &a);
    tell(WOKEN, &ready, result, now() - begin, &a);
  }
  unlock(&a);
  return NULL;
}

static void condition(void) {
  name(&ready, "ready");
  void *one = start(sleeper, "sleeper");
  await(1);
  lock(&a);
  millis(20);
  turn = 2;
  tell(SIGNAL, &ready, 0, 0, NULL);
  pthread_cond_signal(&ready);
  unlock(&a);
  join(one);
}

/* So many times by each of some threads: a lock of its own, and within it a common one. */
static long pairs;

static void *many(void *unused) {
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  for (long i = 0; i < pairs; i++) {
    lock(&own);
    lock(&a);
    unlock(&a);
    unlock(&own);
  }
  return unused;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  define_all();
  if (strcmp(what, "contention") == 0) {
    contention();
  } else if (strcmp(what, "cycle") == 0) {
    cycle();
  } else if (strcmp(what, "kinds") == 0) {
    kinds();
  } else if (strcmp(what, "condition") == 0) {
    condition();
  } else if (strcmp(what, "all") == 0) {
    contention();
    waits_turn = 0;
    turn = 0;
    cycle();
    turn = 0;
    condition();
    kinds();
  } else if (strcmp(what, "many") == 0 && argc > 2) {
    pairs = atol(argv[2]);
    void *all[4];
    for (int i = 0; i < 4; i++) {
      all[i] = start(many, "many");
    }
    for (int i = 0; i < 4; i++) {
      join(all[i]);
    }
  } else {
    return 2;
  }
  return 0;
}
