/* Gives each thread a ring, and takes it back when the thread has ended. */
#ifndef KYMO_THREADS_H
#define KYMO_THREADS_H

#include <stdbool.h>

#include "ring.h"

/* The calling thread's ring; NULL before its first record. May be one of a recording that is over. */
extern _Thread_local struct ring *ky_ring __attribute__((tls_model("initial-exec")));

/* Whether threads get a track of what they wait for; set before the first one joins. */
extern bool ky_waits;

/* This thread does the library's own work just now: what it asks of the thread library is not recorded. */
extern _Thread_local bool ky_own_work __attribute__((tls_model("initial-exec")));

/* Track of what a thread waits for, by the kernel's number of the thread; 0: none. Within a guard. */
uint32_t ky_waits_of(uint32_t tid);

bool ky_threads_init(void);

/* The calling thread's ring in this recording, made if need be; NULL if there is none to be had.
 * Within a guard. */
struct ring *ky_own_ring(struct process *process);

/* Defines what runs on threads but is none, a stack of its own, and returns its number. Within a guard. */
uint32_t ky_new_context(struct process *process, const char *name);

/* All rings there are, one behind the other by their next, also those that are free or of recordings that are
 * over; more may come before the first. Within a guard. */
struct ring *ky_rings(void);

/* What a ring's thread is called. Within a guard. */
void ky_name_of(const struct ring *ring, char name[THREAD_NAME + 16]);

/* Defines threads anew whose names have changed: all, or some at each call. Within a guard. */
void ky_keep_names(struct process *process, bool all);

#endif
