/* The stack of calls that each thread is executing. The record of a function's end takes its number from here, and
 * calls that a jump has left are found here.
 *
 * A signal handler that is itself built with hooks pushes and pops above whatever it interrupted. Therefore an entry's
 * place is taken before the entry is written. */
#ifndef KYMO_CALLS_H
#define KYMO_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/call.h"
#include "shared/process.h"

struct calls {
  struct call *top; /* after the innermost; there is always an entry below it, which may be no call */
  struct call *end;
  struct call *bottom; /* the outermost; NULL while there is no memory */
  uint32_t beyond; /* calls without an entry, because there was no room; they are events */
  uint8_t generation; /* of the recording that knows of them */
  uint32_t joinings_over; /* how many joinings had ended then */
  bool of_context; /* the memory belongs to a context, not to the thread */
};

extern _Thread_local struct calls ky_calls __attribute__((tls_model("initial-exec")));

/* How many recordings of this process have ended: calls from before the end of one may be over. */
extern uint32_t ky_joinings_over;

/* Before all others; false if there is no memory. */
bool ky_calls_init(void);

/* Makes room for calls of this thread. In a recording that the process has just joined it records the calls that the
 * thread is executing: a child made by fork continues in the middle of its parent's calls. Within a guard.
 *
 * @param frame of the function that the program called */
void ky_calls_begin(struct process *process, const void *frame);

/* Makes room for calls of a context; false if there is no memory. */
bool ky_calls_of_context(struct calls *calls);

/* Record the begin of a call or its end, with the ends of inner calls that a jump has left; or count it, if it has a
 * slot. A call that begins as an event ends as an event, and a counted call ends as counted. Within a guard. */
void ky_calls_enter(struct process *process, const struct call *call);
void ky_calls_leave(struct process *process, const struct call *call);

/* A call begins or ends while the thread has no ring: it is lost, and what the thread is executing is not known any
 * longer. Also without a guard. */
void ky_calls_lose(struct process *process);

/* Records that all calls above `last` ended by a jump; NULL: all calls. Within a guard. */
void ky_calls_unwind(struct process *process, const struct call *last, const void *frame);

/* The thread ends, and its calls with it. Within a guard. */
void ky_calls_end(struct process *process, const void *frame);

#endif
