/* The writing side of a ring in shared memory (RingLayout of format/). One thread at a time writes; the
 * recorder, in another process, reads below the position. The position's release store is the commit:
 * what it covers is in the recording even if the process is killed with the next instruction.
 *
 * A signal handler that records while its thread is between `busy` and the end of a record must not
 * write: its records are deferred, and written when that one is complete. */
#ifndef KYMO_RING_H
#define KYMO_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "process.h"

enum { RING_SUB_BUFFER_COUNT = 16, DEFERRED_BYTES = 3072, THREAD_NAME = 16 };

/* No record, but several that are written together, with one clock: `data` are their words, `argument` is
 * the clock, or 0, `payload` the event if it is a single one. They lie in one packet, so that a switch to
 * another track and back is never torn. */
enum { RECORD_UNIT = 256 };

/* What is to be recorded, off the fast path. */
struct record {
  uint32_t id;
  uint32_t payload;
  uint64_t argument; /* of a RECORD_EVENT or RECORD_UNIT; of a call the event that says so, 0 if none does */
  const void *data; /* of a RECORD_EVENT_DATA or RECORD_UNIT */
  uint32_t length;
};

struct ring {
  /* Frame of the function that writes a record; NULL while none does. */
  void *volatile busy;
  uint8_t *memory;
  uint64_t base; /* position of memory offset 0 while the open packet lasts */
  uint64_t last; /* clock of the last record */
  uint32_t offset; /* where the next record goes, in memory */
  uint32_t limit; /* no record ends behind it as long as not more has memory; 0 when no packet is open */
  uint32_t high; /* high half of the clock that readers assume for the next compact record */
  uint32_t extra; /* words of the open packet beyond one for each record */
  volatile uint32_t deferred; /* bytes */
  uint8_t generation; /* of the process; 0 after a fork */
  bool tsc;

  bool open;
  uint32_t thread; /* that owns it; 0: it is free */
  uint32_t waits; /* track of what that thread waits for; 0 if there is none */
  uint32_t tag; /* the same below the recording's generation */
  uint32_t number; /* of this ring */
  uint32_t running; /* that the records are of: the owner, or a context that it runs */
  uint32_t announced; /* the same as the packet has it so far */
  uint32_t tid;
  uint32_t sub_buffer_size;
  uint32_t when_full;
  bool numbered; /* whether the program has a number for its thread */
  uint32_t own_number;
  uint32_t asked; /* bytes of a sub-buffer that the program asked for; 0: as usual */
  uint8_t *volatile raw; /* data of the record that the program fills in; NULL: none, see raw.c */
  uint64_t raw_clock;
  uint32_t raw_event;
  uint32_t raw_size;
  uint64_t packet;
  uint64_t lost;
  uint8_t **counters; /* of its thread, by slot; NULL before the first: see counts.h */
  double credit; /* ticks that its records may cost; see budget.h */
  double spent; /* that they have cost */
  double spent_before; /* the same when it was looked at last */
  double counted_share; /* of the thread's time that counting took of late */
  uint64_t closed_at; /* clock of the packet closed last; 0: none was */
  uint64_t next_search; /* clock, before which it is in vain to look for what costs that much */
  struct ring *next; /* of all */
  struct ring *next_free;
  char name[THREAD_NAME]; /* of its thread, as it is defined */
  uint32_t records[RING_SUB_BUFFER_COUNT]; /* what is lost when a sub-buffer is overwritten */
  uint32_t there[RING_SUB_BUFFER_COUNT]; /* bytes of a sub-buffer, from its begin, that have memory */
  uint8_t deferred_records[DEFERRED_BYTES];
};

/* Bytes of a ring's memory. */
static inline size_t ring_size(uint32_t sub_buffer_size) {
  return RING_HEADER_SIZE + (size_t) sub_buffer_size * RING_SUB_BUFFER_COUNT;
}

/* Bytes at the begin of a ring's memory that it is made with: most threads of short processes need no more. */
enum { RING_FIRST = RING_HEADER_SIZE + PAGE };

/* Lays out mapped memory, whose first bytes may be used. */
void ky_ring_init(struct ring *ring, uint8_t *memory, uint32_t sub_buffer_size, const struct process *process);

/* Writes a record, or counts it as lost; within a guard, by the owner. */
void ky_ring_record(struct process *process, struct ring *ring, const struct record *record);

/* Has room for an event's data at the offset, and announces nothing of it; where the data go, or NULL if
 * it is lost. Within a guard, by the owner, who has begun no other. */
uint8_t *ky_ring_reserve(
    struct process *process, struct ring *ring, uint32_t event, uint32_t size);

/* The same, without a guard, if there is room at the offset. */
uint8_t *ky_ring_reserve_here(struct ring *ring, uint64_t now, uint32_t event, uint32_t size);

/* What was reserved has come, with so many bytes; in a guard if the clock is not as readers assume. */
void ky_ring_commit_raw(struct ring *ring, uint32_t size);

/* What was reserved does not come any more, and is counted as lost. Whoever was to write it may still do
 * that: so its room is left as it is. Within a guard. */
void ky_ring_abandon(struct ring *ring);

/* The records that follow are of another thread or context; within a guard, by the owner, between
 * records. */
void ky_ring_switch(struct process *process, struct ring *ring, uint32_t running, uint64_t now);

/* Words that a record takes. */
uint32_t ky_words_of(const uint64_t *word);

/* Whether nothing can be recorded until the recorder has taken a packet, and nobody waits for that. */
bool ky_ring_is_full(const struct ring *ring);

void ky_ring_lose(struct ring *ring);
void ky_ring_lose_record(struct ring *ring, const struct record *record);

/* Keeps a record of a handler that interrupted another record; by any code of the owner's. */
void ky_ring_defer(const struct process *process, struct ring *ring, const struct record *record);

/* Copies the words of a unit, all of its records stamped with one clock. */
void ky_unit_copy(uint64_t *to, const uint64_t *words, uint32_t count, uint64_t now);

/* Writes what was deferred; within a guard, by the owner. */
void ky_ring_write_deferred(struct process *process, struct ring *ring);

#endif
