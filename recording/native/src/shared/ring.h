/* The writing side of a ring in shared memory (RingLayout of format/). One thread at a time writes, the ring's owner;
 * the recorder, in another process, reads below the position. The position's release store is the commit: what lies
 * below it is in the recording even if the process is killed by its next instruction.
 *
 * A signal handler that interrupts the writing of a record (see `busy`) must not write itself: its records are
 * deferred, and written when the interrupted one is complete. */
#ifndef KYMO_RING_H
#define KYMO_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/layout.h"
#include "process.h"

enum { RING_SUB_BUFFER_COUNT = 16, DEFERRED_BYTES = 3072, THREAD_NAME = 16 };

/* Not one record but several that are written together, with one clock: `data` has their words, `argument` is the
 * clock, or 0, and `payload` is the event if there is only one. They lie in one packet, so that a switch to another
 * track and the switch back are never separated. */
enum { RECORD_UNIT = 256 };

/* What is to be recorded, off the fast path. */
struct record {
  uint32_t id;
  uint32_t payload;
  uint64_t argument; /* of a RECORD_EVENT or RECORD_UNIT; of a call the event that reports it, or 0 */
  const void *data; /* of a RECORD_EVENT_DATA or RECORD_UNIT */
  uint32_t length;
};

/* The part of a ring that only this process sees. Who uses a field, and how, is the word in brackets:
 *
 *   [owner]    only the owner and the signal handlers that run on it. Plain accesses, and compiler fences where a
 *              handler must see their order. A ring changes its owner under the registry's lock, which orders the
 *              accesses of the old owner before those of the new one.
 *   [fixed]    written before the ring is in the registry's list; then only read.
 *   [lock]     written by the owner (the name also by the housekeeper) under the registry's lock; other threads read
 *              it under that lock, the owner reads it without.
 *   [budget]   written by the housekeeper under the budget's lock; read under that lock.
 *   [relaxed], [acquire]  written by the owner, read by other threads without a lock, with this ordering; see the
 *              functions below.
 *
 * The hot path uses the fields up to `tsc`. A child made by fork finds all of them zeroed. */
struct ring {
  void *volatile busy; /* [owner] frame of the function that is writing a record; NULL: none is */
  uint8_t *memory; /* [fixed] */
  uint64_t base; /* [owner] position of memory offset 0 while the open packet lasts */
  uint64_t last; /* [owner] clock of the last record */
  uint32_t offset; /* [owner] where the next record goes, in memory */
  uint32_t limit; /* [owner] no record ends after it, until more has memory; 0: no packet is open */
  uint32_t high; /* [owner] high half of the clock that readers assume for the next compact record */
  uint32_t extra; /* [owner] words of the open packet beyond one for each record */
  volatile uint32_t deferred; /* [owner] bytes */
  uint8_t generation; /* [fixed] the process's; 0 after a fork */
  bool tsc; /* [fixed] */

  bool open; /* [owner] */
  uint32_t thread; /* [lock] [relaxed] number of its owner; 0: the ring is free */
  uint32_t waits; /* [lock] track of what the owner waits for; 0: there is none */
  uint32_t tag; /* [lock] the same, below the recording's generation */
  uint32_t number; /* [fixed] of this ring */
  uint32_t running; /* [owner] whose records are being written: the owner's, or those of a context that it runs */
  uint32_t announced; /* [owner] whose records the packet says they are, so far */
  uint32_t tid; /* [lock] the kernel's number of the owner */
  uint32_t sub_buffer_size; /* [fixed] */
  uint32_t when_full; /* [fixed] */
  bool numbered; /* [lock] whether the program has a number for its thread */
  uint32_t own_number; /* [lock] that number */
  uint32_t asked; /* [fixed] bytes of a sub-buffer that the program asked for; 0: the usual size */
  uint8_t *volatile raw; /* [owner] data of the record that the program fills in; NULL: none, see raw.c */
  uint64_t raw_clock; /* [owner] */
  uint32_t raw_event; /* [owner] */
  uint32_t raw_size; /* [owner] */
  uint64_t packet; /* [owner] number of the open packet, or of the next one */
  uint64_t lost; /* [owner] records, added in one instruction because handlers add, too */
  uint8_t **counters; /* [acquire] its thread's, by slot; NULL before the first: see counts.h */
  double credit; /* [owner] ticks that its records may still cost; see budget.h */
  double spent; /* [relaxed] ticks that they have cost */
  double spent_before; /* [budget] the same at the last look */
  double counted_share; /* [budget] part of the thread's time that counting took recently */
  uint64_t closed_at; /* [owner] clock of the packet that was closed last; 0: none was */
  uint64_t next_search; /* [owner] clock before which a search for expensive functions is in vain */
  struct ring *next; /* [fixed] of all rings */
  struct ring *next_free; /* under the registry's lock */
  char name[THREAD_NAME]; /* [lock] its thread's, as it is defined */
  uint32_t records[RING_SUB_BUFFER_COUNT]; /* [owner] what is lost when a sub-buffer is overwritten */
  uint32_t there[RING_SUB_BUFFER_COUNT]; /* [owner] bytes of each sub-buffer, from its begin, that have memory */
  uint8_t deferred_records[DEFERRED_BYTES]; /* [owner] */
};

/* By the owner under the registry's lock. */
static inline void thread_store_relaxed(struct ring *ring, uint32_t thread) {
  __atomic_store_n(&ring->thread, thread, __ATOMIC_RELAXED);
}

/* By other threads without that lock: the ring may have another owner in the next moment. */
static inline uint32_t thread_load_relaxed(const struct ring *ring) {
  return __atomic_load_n(&ring->thread, __ATOMIC_RELAXED);
}

/* By the owner: the table is zeroed before other threads see it. */
static inline void counters_store_release(struct ring *ring, uint8_t **counters) {
  __atomic_store_n(&ring->counters, counters, __ATOMIC_RELEASE);
}

/* By other threads. */
static inline uint8_t *const *counters_load_acquire(const struct ring *ring) {
  return __atomic_load_n(&ring->counters, __ATOMIC_ACQUIRE);
}

/* By the owner, which alone adds to it. */
static inline void spent_store_relaxed(struct ring *ring, double spent) {
  __atomic_store(&ring->spent, &spent, __ATOMIC_RELAXED);
}

/* By other threads: nothing else depends on it. */
static inline double spent_load_relaxed(const struct ring *ring) {
  double spent;
  __atomic_load(&ring->spent, &spent, __ATOMIC_RELAXED);
  return spent;
}

/* Bytes of a ring's memory. */
static inline size_t ring_size(uint32_t sub_buffer_size) {
  return RING_HEADER_SIZE + (size_t) sub_buffer_size * RING_SUB_BUFFER_COUNT;
}

/* Bytes at the begin of a ring's memory that can be used from the start: most threads of short processes need no
 * more. */
enum { RING_FIRST = RING_HEADER_SIZE + PAGE };

/* Lays out mapped memory, of which the first RING_FIRST bytes can be used. */
void ky_ring_init(struct ring *ring, uint8_t *memory, uint32_t sub_buffer_size, const struct process *process);

/* Writes a record or counts it as lost. Within a guard, by the owner. */
void ky_ring_record(struct process *process, struct ring *ring, const struct record *record);

/* Reserves room for an event's data at the offset, without a commit. Returns where the data go, or NULL if the event
 * is lost. Within a guard, by the owner, which has no other reservation. */
uint8_t *ky_ring_reserve(
    struct process *process, struct ring *ring, uint32_t event, uint32_t size);

/* The same where there is room at the offset; without a guard. */
uint8_t *ky_ring_reserve_here(struct ring *ring, uint64_t now, uint32_t event, uint32_t size);

/* Commits what was reserved, of which `size` bytes are used. In a guard if the clock's high half has changed. */
void ky_ring_commit_raw(struct ring *ring, uint32_t size);

/* Gives a reservation up; the event is counted as lost. The program may still write into that room, so nothing else
 * is written there. Within a guard. */
void ky_ring_abandon(struct ring *ring);

/* The next records are those of another thread or context. Within a guard, by the owner, between records. */
void ky_ring_switch(struct process *process, struct ring *ring, uint32_t running, uint64_t now);

/* How many words a record takes, from its first two words. */
uint32_t ky_words_of(const uint64_t *word);

/* Whether records are discarded until the recorder has read a packet. */
bool ky_ring_is_full(const struct ring *ring);

void ky_ring_lose(struct ring *ring);
void ky_ring_lose_record(struct ring *ring, const struct record *record);

/* Keeps the record of a handler that interrupted another record. By any code that runs on the owner. */
void ky_ring_defer(const struct process *process, struct ring *ring, const struct record *record);

/* Copies the words of a unit and stamps all of its records with one clock. */
void ky_unit_copy(uint64_t *to, const uint64_t *words, uint32_t count, uint64_t now);

/* Writes what was deferred. Within a guard, by the owner. */
void ky_ring_write_deferred(struct process *process, struct ring *ring);

#endif
