/* The writing side of a ring in shared memory (RingLayout of format/). One thread at a time writes; the
 * recorder, in another process, reads below the position. The position's release store is the commit:
 * what it covers is in the recording even if the process is killed with the next instruction.
 *
 * A signal handler that records while its thread is between `busy` and the end of a record must not
 * write: its records are deferred, and written when that one is complete. */
#ifndef KYMO_RING_H
#define KYMO_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "process.h"

enum { RING_SUB_BUFFER_COUNT = 16, DEFERRED_BYTES = 3072, THREAD_NAME = 16 };

/* What is to be recorded, off the fast path. */
struct record {
  uint32_t id;
  uint32_t payload;
  uint64_t argument; /* of a RECORD_EVENT; of a call the event that stands for it, 0 if none */
  const void *data; /* of a RECORD_EVENT_DATA */
  uint32_t length;
};

struct ring {
  /* Frame of the function that writes a record; NULL while none does. */
  void *volatile busy;
  uint8_t *memory;
  uint64_t base; /* position of memory offset 0 while the open packet lasts */
  uint64_t last; /* clock of the last record */
  uint32_t offset; /* where the next record goes, in memory */
  uint32_t limit; /* no record ends behind it; 0 when no packet is open */
  uint32_t high; /* high half of the clock that readers assume for the next compact record */
  uint32_t extra; /* words of the open packet beyond one for each record */
  volatile uint32_t deferred; /* bytes */
  uint8_t generation; /* of the process; 0 after a fork */
  bool tsc;

  bool open;
  uint32_t number; /* of this ring */
  uint32_t thread; /* that owns it; 0: it is free */
  uint32_t announced; /* thread that the records are of, as the packet has it so far */
  uint32_t tid;
  uint32_t sub_buffer_size;
  uint32_t when_full;
  uint64_t packet;
  uint64_t lost;
  struct ring *next; /* of all */
  struct ring *next_free;
  char name[THREAD_NAME]; /* of its thread, as it is defined */
  uint32_t records[RING_SUB_BUFFER_COUNT]; /* what is lost when a sub-buffer is overwritten */
  uint8_t deferred_records[DEFERRED_BYTES];
};

/* Takes over mapped memory. */
void ky_ring_init(struct ring *ring, uint8_t *memory, const struct process *process);

/* Writes a record, or counts it as lost; within a guard, by the owner. */
void ky_ring_record(struct process *process, struct ring *ring, const struct record *record);

/* Whether nothing can be recorded until the recorder has taken a packet, and nobody waits for that. */
bool ky_ring_is_full(const struct ring *ring);

void ky_ring_lose(struct ring *ring);

/* Keeps a record of a handler that interrupted another record; by any code of the owner's. */
void ky_ring_defer(const struct process *process, struct ring *ring, const struct record *record);

/* Writes what was deferred; within a guard, by the owner. */
void ky_ring_write_deferred(struct process *process, struct ring *ring);

#endif
