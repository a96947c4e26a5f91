/* This process in a recording: its place in the session, and its page shared with the recorder. */
#ifndef KYMO_PROCESS_H
#define KYMO_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/guest.h"
#include "base/layout.h"
#include "base/session.h"

struct budget;
struct counters;
struct ring;
struct trigger;

/* A definition being written. */
struct definition {
  uint32_t size;
  uint8_t bytes[DEFINITION_MAX_SIZE];
};

struct definition_stream {
  struct lock lock;
  uint8_t *memory;
  uint64_t packet;
  uint64_t last; /* clock of the last definition */
  uint32_t used; /* bytes of the open packet; 0: none is open */
  uint32_t there; /* bytes of all sub-buffers, from the first one's begin, that have memory */
  struct definition next; /* here, because a thread's stack may be small */
};

/* Each joining makes a new one, and none is freed, because threads may still use an old one. A child made by fork finds
 * it zeroed, and so knows that it has not joined.
 *
 * Fields without a word in brackets are written before ky_process is stored with release; then they are only read.
 *
 *   [lock]     of the registry, of the definitions, or of joining: written and read under it.
 *   [atomic]   any thread, with relaxed atomic accesses, or stronger ones where they are named.
 *   [plain]    any thread, with plain accesses; a thread that sees an old value only does a little more, or records a
 *              little longer.
 *   [house]    only the housekeeper. */
struct process {
  uint32_t number; /* 0: not joined */
  uint8_t generation; /* counts the joinings of this process, 1 to 254 and again from 1 */
  bool stopped; /* [plain] written under the lock of joining */
  const struct session *session;
  char home[SESSION_PATH + 16];
  uint8_t *control; /* shared memory: ControlLayout */
  uint8_t *mailbox; /* shared memory: MailboxLayout */
  struct trigger *triggers;
  struct definition_stream definitions; /* [lock] its own */
  struct counters *counters; /* [atomic] stored with release; NULL while nothing is counted */
  struct budget *budget; /* [atomic] stored with release; NULL while it has not been needed, or if there is none */
  void (*packet_closed)(struct process *process, struct ring *ring, uint64_t now); /* see budget.h */
  uint64_t first_clock; /* the clock and the nanoseconds were read together */
  uint64_t first_nanos; /* monotonic */
  uint32_t last_thread; /* [atomic] */
  uint32_t last_ring; /* [atomic] */
  uint32_t rings; /* [lock] the registry's; how many the recorder is to look for */
  uint64_t no_rings_until; /* [plain] monotonic nanoseconds */
  bool failure_said; /* [atomic] */
  bool wants_housekeeper; /* [atomic] */
  bool has_housekeeper; /* [atomic] stored with release */
  bool dismissed; /* [atomic] stored with release; the housekeeper is to end */
  pthread_t housekeeper; /* written before has_housekeeper */
  int32_t housekeeper_number; /* its number in the kernel; written by itself at first, and read after its end */
  uint64_t next_round; /* [house] monotonic nanoseconds */
  uint32_t rounds; /* [house] */

  /* The recorder's signs of life, by the thread that has moved `next_look`. */
  uint64_t last_beat;
  uint64_t last_change;
  uint64_t next_look; /* [atomic] monotonic nanoseconds */
  bool recorder_gone; /* [plain] */
};

/* NULL before the first joining. */
extern struct process *ky_process;

/* The recording's clock. */
uint64_t ky_clock(const struct process *process);

/* Counts a lost event of a thread without a ring. */
void ky_lose_without_ring(struct process *process);

/* Shared memory could not be made: no thread gets a ring for the next second. True the first time, when it is to be
 * reported. */
bool ky_fails(struct process *process);

/* Reports once, on standard error, that there is no shared memory for something; errno is the reason. True if this call
 * has reported it. */
bool ky_say_no_memory(struct process *process, const char *what, size_t bytes);

/* Whether an error means that this process lacks a permission, for example because it has become another user. */
bool ky_is_kept_out(int error);

#endif
