/* The common part of all operations that acquire something. They try first, so that an operation which need not wait
 * does not look like a wait, and costs one reading of the clock. An attempt must succeed or fail exactly where the
 * operation itself would. */
#ifndef KYMO_LOCKING_H
#define KYMO_LOCKING_H

#include <errno.h>
#include <time.h>

#include "ops.h"
#include "real.h"
#include "waits.h"

/* What the thread library checks before it looks whether it has to wait. */
static inline bool is_time(const struct timespec *time) {
  return time != NULL && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

static inline bool is_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* Body of a wrapper.
 *
 * @param try acquires it, or returns EBUSY
 * @param block waits for it
 * @param may_try whether an attempt has the same effect
 * @param is_held whether the operation probably has to wait, where an attempt is not allowed
 * @param contended function that waits; its arguments are a struct wait and those that follow here */
#define LOCKING(operation, target, may_try, is_held, try, block, contended, ...) \
  uint8_t state = op_state(operation); \
  if (RARELY(state == 0)) { \
    return block; \
  } \
  bool tries = may_try; \
  if (RARELY(!tries && !(is_held))) { \
    int untried = block; \
    op_returned(operation, state, target, CALLER, untried); \
    return untried; \
  } \
  int result = RARELY(!tries) ? EBUSY : try; \
  if (RARELY(result == EBUSY)) { \
    struct wait wait = {.op = operation, .object = target, .caller = CALLER, .state = state}; \
    return contended(&wait, __VA_ARGS__); \
  } \
  op_returned(operation, state, target, CALLER, result); \
  return result

/* Body of a wrapper that only tries. */
#define TRYING(operation, target, try) \
  uint8_t state = op_state(operation); \
  int result = try; \
  if (state != 0) { \
    op_returned(operation, state, target, CALLER, result); \
  } \
  return result

/* Body of a wrapper that lets other threads continue; recorded with the time before it does. */
#define LETTING(operation, target, call) \
  uint8_t state = op_state(operation); \
  if (RARELY(state == 0)) { \
    return call; \
  } \
  uint64_t at = ticks(state); \
  lets_go_on(target); \
  int result = call; \
  op_done(operation, state, at, target, CALLER, result); \
  return result

#endif
