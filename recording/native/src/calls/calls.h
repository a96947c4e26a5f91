/* The calls of functions that each thread is in. What a function's end is recorded with stands here, and
 * what calls a jump has left.
 *
 * A signal handler that is itself built with hooks pushes and pops above whatever it interrupted: so an
 * entry's place is taken before it is written. */
#ifndef KYMO_CALLS_H
#define KYMO_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

struct call {
  uintptr_t function; /* 0: none */
  uintptr_t site; /* where it returns to */
  uintptr_t frame; /* of the hook at its begin */
  uint32_t number; /* of the function in the recording */
  uint32_t slot; /* of its counter; 0: it is an event, and so is its end */
  uint64_t begin; /* clock; 0: it is not timed */
};

struct calls {
  struct call *top; /* one behind the innermost; there is always one below it that is no call */
  struct call *end;
  struct call *bottom; /* the outermost; NULL while there is no memory for any */
  uint32_t beyond; /* calls for which there was no room; they are events */
  uint8_t generation; /* of the recording that knows of them */
  uint32_t joinings_over; /* how many had ended then */
  bool of_context; /* whose memory they are, not the thread's */
};

extern _Thread_local struct calls ky_calls __attribute__((tls_model("initial-exec")));

/* How many recordings of this process have ended: what was called before any of them may be over. */
extern uint32_t ky_joinings_over;

/* Before all others; false if there is no memory. */
bool ky_calls_init(void);

/* Makes room for calls of this thread, and tells a recording that it has just joined of those that it
 * is in: a child made by fork goes on in the middle of its parent's. Within a guard.
 *
 * @param frame of the function that the program called */
void ky_calls_begin(struct process *process, const void *frame);

/* Makes room for calls of a context; false if there is no memory. */
bool ky_calls_of_context(struct calls *calls);

/* Records a call or counts it, if it has a slot, or its end and that of calls in it which a jump has left. What
 * begins as an event ends as one, and what is counted ends as that. Within a guard. */
void ky_calls_enter(struct process *process, const struct call *call);
void ky_calls_leave(struct process *process, const struct call *call);

/* Records that all calls above this one ended by a jump, all of them if it is NULL. Within a guard. */
void ky_calls_unwind(struct process *process, const struct call *last, const void *frame);

/* The thread ends, and with it its calls. Within a guard. */
void ky_calls_end(struct process *process, const void *frame);

#endif
