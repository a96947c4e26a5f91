/* This process in a recording: its place in the session, its page shared with the recorder. */
#ifndef KYMO_PROCESS_H
#define KYMO_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "definitions.h"
#include "guest.h"
#include "session.h"

/* Made anew by each joining, never given back: threads may still look at an old one. A child made by
 * fork finds it zeroed, and so knows that it has not joined. */
struct process {
  uint32_t number; /* 0: not joined */
  uint8_t generation; /* which joining of this process, 1 to 255 and again */
  bool stopped;
  const struct session *session;
  char home[SESSION_PATH + 16];
  uint8_t *control;
  uint8_t *mailbox;
  struct trigger *triggers;
  struct definition_stream definitions;
  struct counters *counters; /* NULL while nothing is counted */
  struct budget *budget; /* NULL while it has not been asked for, or there is none */
  uint64_t first_clock; /* read together */
  uint64_t first_nanos; /* monotonic */
  struct lock control_lock;
  uint32_t last_thread;
  uint32_t last_ring;
  uint32_t rings; /* that the recorder is to look for */
  uint64_t no_rings_until; /* monotonic nanoseconds */
  bool failure_said;
  bool wants_housekeeper;
  bool has_housekeeper;
  bool dismissed; /* the housekeeper is to end */
  pthread_t housekeeper;
  uint64_t next_round; /* of the housekeeper's; monotonic nanoseconds */
  uint32_t rounds;

  /* What the recorder's signs of life are. */
  uint64_t last_beat;
  uint64_t last_change;
  uint64_t next_look; /* monotonic nanoseconds */
  bool recorder_gone;
};

/* NULL before the first joining. */
extern struct process *ky_process;

/* Prepares this library, once, also if a function is called before any constructor is; false if there is
 * no memory for that. Within a guard. */
bool ky_begun(void);

/* The process if it is being recorded, else NULL; a child made by fork joins here. Within
 * the guard, which knows whether a signal handler runs. */
struct process *ky_joined(const struct guard *guard);

/* Joins the session that the environment names, if any; within a guard. */
bool ky_join(void);

/* Before a child is made: a program that makes many, and has not joined itself, does once what each of them would
 * do again, as reading the session and the program's symbols. Within a guard. */
void ky_foresee_children(void);

/* Ends the recording of this process. */
void ky_end(struct process *process);

/* Says that the process ends; more may still be recorded. */
void ky_say_ended(struct process *process);

/* The recording's clock. */
uint64_t ky_clock(const struct process *process);

/* Waits a moment for the recorder; false if that is in vain. */
bool ky_await_recorder(struct process *process);

/* Whether the recorder wants an end, or is gone. */
bool ky_stop_requested(struct process *process);

/* Counts an event of a thread that has no ring. */
void ky_lose_without_ring(struct process *process);

/* Says, once, that shared memory for something is not to be had, with errno as the reason; true if this was it. */
bool ky_say_no_memory(struct process *process, const char *what, size_t bytes);

/* The same of the calling thread's ring, or a part of it, and in the recording as well. Within a guard. */
void ky_say_no_ring(struct process *process, size_t bytes);

/* Whether an error says that this process may not do something, as after it has become another user. */
bool ky_is_kept_out(int error);

/* Asks the recorder to let this process, which has become another user, go on using its part of the
 * shared memory; false if it does not. Within a guard. */
bool ky_ask_for_home(struct process *process);

/* Says in the recording, once, that new threads cannot be recorded any more, with errno as the reason. */
void ky_say_kept_out(struct process *process);

void ky_define_process(struct process *process, const char *name);
void ky_define_clock_pair(struct process *process);

/* A thread beside the program's that does what has time; see housekeeper.c. Not in a signal handler. */
void ky_start_housekeeper(struct process *process);

/* Has it end, and waits for that. */
void ky_dismiss_housekeeper(struct process *process);

#endif
