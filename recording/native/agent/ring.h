/* The fast path of a thread's ring: what dev.kymo.recorder.ring.Ring does in Java while nothing rare happens. */
#ifndef KYMO_AGENT_RING_H
#define KYMO_AGENT_RING_H

#include <stdint.h>

/* A ring that is lent to C; dev.kymo.recorder.ring.LentRing knows the layout. */
struct lent_ring {
  int64_t thread; /* whose records are written there now; 0: the ring is not lent */
  uint8_t *memory;
  int64_t base;   /* position minus offset */
  int32_t offset; /* where the next record goes */
  int32_t limit;  /* no record begins at or after this offset */
  uint32_t high;  /* high half of the last record's clock */
  int32_t answer; /* what a call that has recorded returns */
  int64_t extra;  /* words in the packet beyond one for each record */
};

/* The processor's counter; 0 if this library does not know one. */
int64_t ticks(void);

/* Sets the ring that the calling thread records into; NULL: none. */
void use_ring(struct lent_ring *ring);

/*
 * Records a word, to which the clock is added. Returns the ring's answer, or 0 if nothing was recorded: the ring is
 * not lent to this thread, or is full, or the clock's high half differs from the previous record's.
 */
int64_t record(int64_t word, int64_t thread);

/* The same with an argument after the word. */
int64_t record_argument(int64_t word, int64_t thread, int64_t argument);

#endif
