/* Gives each thread a ring, and takes the ring back when the thread ends. */
#ifndef KYMO_THREADS_H
#define KYMO_THREADS_H

#include <stdbool.h>

#include "ring.h"

/* The calling thread's ring; NULL before its first record. May belong to a recording that is over. */
extern _Thread_local struct ring *ky_ring __attribute__((tls_model("initial-exec")));

/* Whether threads get a track for what they wait for; set before the first thread joins. */
extern bool ky_waits;

/* Whether this thread is doing the library's own work; then its use of the thread library is not recorded. */
extern _Thread_local bool ky_own_work __attribute__((tls_model("initial-exec")));

/* The track for what a thread waits for, by the kernel's number of the thread; 0: there is none. Within a guard. */
uint32_t ky_waits_of(uint32_t tid);

/* Called when a thread ends, before its ring is given back. Within a guard. */
typedef void thread_end(struct process *process, const void *frame);

/* Once, before all others; false if there is no memory. */
bool ky_threads_init(thread_end *ends);

/* The calling thread's ring in this recording, made if need be; NULL if it cannot be made. Within a guard. */
struct ring *ky_own_ring(struct process *process);

/* Whether there was no ring for the calling thread about a second ago; then its events are lost. Costs a few
 * nanoseconds, and also works without a guard. */
bool ky_has_no_ring(void);

/* Defines a context, a stack that runs on threads but is not a thread, and returns its number. Within a guard. */
uint32_t ky_new_context(struct process *process, const char *name);

/* The first ring of the list of all, which `next` links. Free rings and rings of former recordings are in it; new rings
 * are put before the first. Within a guard. */
struct ring *ky_rings(void);

/* The name of a ring's thread. Within a guard. */
void ky_name_of(const struct ring *ring, char name[THREAD_NAME + 16]);

/* Defines threads whose names have changed again: all of them, or some at each call. Within a guard. */
void ky_keep_names(struct process *process, bool all);

#endif
