/* The events of thread operations, and the fast path that records them. */
#ifndef KYMO_OPS_H
#define KYMO_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/record.h"
#include "api/hooks.h"
#include "calls/functions.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER ((uint64_t) (uintptr_t) __builtin_return_address(0))
#define OBJECT(pointer) ((uint64_t) (uintptr_t) (pointer))

/* Each: constant, name, fields. */
#define LOCKED "u64 object; u64 caller; i32 result; u64 waited;"
#define DONE "u64 object; u64 caller; i32 result;"
#define OPS(X) \
  X(MUTEX_LOCK, "mutex_lock", LOCKED) \
  X(MUTEX_TRYLOCK, "mutex_trylock", LOCKED) \
  X(MUTEX_TIMEDLOCK, "mutex_timedlock", LOCKED) \
  X(MUTEX_UNLOCK, "mutex_unlock", DONE) \
  X(RWLOCK_RDLOCK, "rwlock_rdlock", LOCKED) \
  X(RWLOCK_TRYRDLOCK, "rwlock_tryrdlock", LOCKED) \
  X(RWLOCK_TIMEDRDLOCK, "rwlock_timedrdlock", LOCKED) \
  X(RWLOCK_WRLOCK, "rwlock_wrlock", LOCKED) \
  X(RWLOCK_TRYWRLOCK, "rwlock_trywrlock", LOCKED) \
  X(RWLOCK_TIMEDWRLOCK, "rwlock_timedwrlock", LOCKED) \
  X(RWLOCK_UNLOCK, "rwlock_unlock", DONE) \
  X(SPIN_LOCK, "spin_lock", LOCKED) \
  X(SPIN_TRYLOCK, "spin_trylock", LOCKED) \
  X(SPIN_UNLOCK, "spin_unlock", DONE) \
  X(COND_WAIT, "cond_wait", "u64 object; u64 caller; u64 mutex;") \
  X(COND_TIMEDWAIT, "cond_timedwait", "u64 object; u64 caller; u64 mutex;") \
  X(COND_WOKEN, "cond_woken", "u64 object; u64 caller; i32 result; u64 waited; u64 mutex;") \
  X(COND_SIGNAL, "cond_signal", DONE) \
  X(COND_BROADCAST, "cond_broadcast", DONE) \
  X(SEM_WAIT, "sem_wait", LOCKED) \
  X(SEM_TRYWAIT, "sem_trywait", LOCKED) \
  X(SEM_TIMEDWAIT, "sem_timedwait", LOCKED) \
  X(SEM_POST, "sem_post", DONE) \
  X(BARRIER_WAIT, "barrier_wait", LOCKED) \
  X(ONCE, "once", LOCKED) \
  X(CREATE, "create", "u64 object; u64 caller; i32 result; u64 start;") \
  X(JOIN, "join", LOCKED) \
  X(DETACH, "detach", DONE) \
  X(CANCEL, "cancel", DONE) \
  X(EXIT, "exit", "u64 object; u64 caller;") \
  X(STATES, "states", "") \
  X(OWNERS, "owners", "")

#define CONSTANT(constant, name, fields) constant,
enum op { OPS(CONSTANT) NUMBER_OF_OPS };
#undef CONSTANT

struct op_event {
  const uint8_t *state; /* 0: off; otherwise the recording's generation, or UINT8_MAX before it is joined */
  uint32_t number;
};

extern struct op_event ky_ops[NUMBER_OF_OPS];

static inline uint8_t op_state(enum op op) {
  return __atomic_load_n(ky_ops[op].state, __ATOMIC_RELAXED);
}

/* The recording's clock; 0 if this thread has not recorded yet: then the clock is read when the event is recorded. */
static inline uint64_t ticks(uint8_t state) {
  const struct ring *ring = ky_ring;
  return ring != NULL && ring->generation == state ? clock_now(ring->tsc) : 0;
}

/* Data of an event: object, caller, result and further data of the operation. Separate parameters, so that they stay in
 * registers. */
#define WORDS uint64_t a, uint64_t b, uint64_t c, uint64_t d

OUT_OF_LINE void ky_op_slowly(
    struct ring *ring, enum op op, uint64_t now, uint32_t length, WORDS, const void *frame);

/* Defines the caller before an event refers to it. Returns the time of the event, which this definition does not delay,
 * in the form that ky_op_slowly expects. */
OUT_OF_LINE uint64_t ky_op_tell(enum op op, uint8_t state, uint64_t at, uint64_t caller);

/* Records an operation, whose caller is b. The time is now if `at` is 0; otherwise it is `at`, which may be earlier
 * than the last record of a signal handler. */
static inline __attribute__((always_inline)) void record_op(
    enum op op, uint8_t state, uint64_t at, uint32_t length, WORDS) {
  if (RARELY(!ky_is_told(b))) {
    at = ky_op_tell(op, state, at, b);
  }
  struct ring *ring = begin_record(state);
  if (RARELY(ring == NULL)) {
    ky_op_slowly(NULL, op, at, length, a, b, c, d, __builtin_frame_address(0));
    return;
  }
  uint64_t now = at == 0 ? clock_now(ring->tsc) : at < ring->last ? ring->last : at;
  uint32_t rounded = data_size(length);
  if (RARELY(!has_room(ring, now, 16 + rounded))) {
    ky_op_slowly(ring, op, now, length, a, b, c, d, __builtin_frame_address(0));
    return;
  }
  uint8_t *to = ring->memory + ring->offset;
  store64_relaxed(to, compact(RECORD_EVENT_DATA, now, ky_ops[op].number));
  store64_relaxed(to + 8, data_header(length));
  store64_relaxed(to + 16, a);
  store64_relaxed(to + 24, b);
  if (rounded > 16) {
    store64_relaxed(to + 32, c);
  }
  if (rounded > 24) {
    store64_relaxed(to + 40, d);
  }
  commit(ring, now, 16 + rounded);
  end_record(ring);
}

/* Records an operation that has just returned without a wait. */
static inline __attribute__((always_inline)) void op_returned(
    enum op op, uint8_t state, const volatile void *object, uint64_t caller, int result) {
  record_op(op, state, 0, 28, OBJECT(object), caller, (uint32_t) result, 0);
}

/* Records an operation that lets others continue, which began at a time and has returned. */
static inline __attribute__((always_inline)) void op_done(enum op op, uint8_t state, uint64_t at,
    const volatile void *object, uint64_t caller, int result) {
  record_op(op, state, at, 20, OBJECT(object), caller, (uint32_t) result, 0);
}

#endif
