/* The begin and end of threads. A new thread first runs a function of this library, which knows its creator. */
#include <errno.h>

#include "base/private.h"
#include "ops.h"
#include "real.h"
#include "waits.h"

struct start {
  struct start *next; /* free */
  void *(*function)(void *);
  void *argument;
  uint64_t clock; /* when the thread was made; 0: that is not recorded */
  uint32_t creator; /* the creator's track of states; 0: none */
};

/* In memory that a fork zeroes. */
struct pool {
  struct lock lock;
  struct start *free;
};

static struct pool *pool;
static _Thread_local bool end_is_recorded;

__attribute__((constructor(103))) static void init(void) {
  pool = ky_private_memory(sizeof *pool);
}

static struct start *take(void) {
  struct guard guard;
  ky_guard_begin(&guard);
  ky_lock(&pool->lock, STARTS_LOCK);
  struct start *start = pool->free;
  if (start != NULL) {
    pool->free = start->next;
  }
  ky_unlock(&pool->lock, STARTS_LOCK);
  start = start != NULL ? start : ky_allocate(sizeof *start);
  ky_guard_end(&guard);
  return start;
}

static void give_back(struct start *start) {
  struct guard guard;
  ky_guard_begin(&guard);
  ky_lock(&pool->lock, STARTS_LOCK);
  start->next = pool->free;
  pool->free = start;
  ky_unlock(&pool->lock, STARTS_LOCK);
  ky_guard_end(&guard);
}

static void record_end(uint64_t caller) {
  uint8_t state = op_state(EXIT);
  if (state != 0 && !end_is_recorded) {
    end_is_recorded = true;
    record_op(EXIT, state, 0, 16, pthread_self(), caller, 0, 0);
  }
}

/* The thread has ended by return, pthread_exit or cancellation; destructors of its thread-specific data follow. */
static void ended(void *unused) {
  (void) unused;
  record_end(0);
  lets_go_on((const void *) pthread_self()); /* threads that join it */
}

/* Records the time from the thread's creation to its first moment as a state. */
static void record_start(const struct start *start) {
  uint8_t state = op_state(CREATE);
  if (state != 0 && start->clock != 0) {
    struct wait wait = {.kind = THREAD_START, .state = state};
    ky_wait_begin(&wait, start->clock);
    ky_wait_end_state(&wait, start->creator);
  }
}

static void *run(void *argument) {
  struct start start = *(struct start *) argument;
  void *result;
  give_back(argument);
  record_start(&start);
  pthread_cleanup_push(ended, NULL);
  result = start.function(start.argument);
  pthread_cleanup_pop(1);
  return result;
}

EXPORTED int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  uint8_t state = op_state(CREATE);
  struct start *start = state == 0 || ky_own_work || pool == NULL ? NULL : take();
  if (start == NULL) {
    return REAL(pthread_create)(thread, attributes, function, argument);
  }
  struct wait self = {.state = state, .caller = CALLER};
  uint32_t creator = ky_wait_track(&self); /* joins on this stack if need be, because the new one may be small */
  if (!ky_is_told(OBJECT(function))) {
    ky_tell_place(OBJECT(function), false);
  }
  *start = (struct start) {NULL, function, argument, ticks(self.generation), creator};
  int result = ky_real.pthread_create(thread, attributes, run, start);
  if (result != 0) {
    give_back(start);
  }
  uint64_t object = result == 0 ? *thread : 0;
  uint64_t begin = OBJECT(function);
  record_op(CREATE, state, 0, 28, object, self.caller,
      (uint32_t) result | begin << 32, begin >> 32);
  return result;
}

EXPORTED __attribute__((noreturn)) void pthread_exit(void *value) {
  record_end(CALLER);
  REAL(pthread_exit)(value);
  __builtin_unreachable();
}
