/* The fast path of a thread's ring: what dev.kymo.recorder.Ring does in Java, as far as nothing rare happens. */
#ifndef KYMO_AGENT_RING_H
#define KYMO_AGENT_RING_H

#include <stdint.h>

/* A ring that is lent to C; dev.kymo.recorder.LentRing knows the layout. */
struct lent_ring {
  int64_t thread; /* whose records go there now; 0: it is not lent */
  uint8_t *memory;
  int64_t base;   /* the position is so much more than the offset */
  int32_t offset; /* where the next record goes */
  int32_t limit;  /* no record begins here or behind it */
  uint32_t high;  /* half of the clock, in the last record */
  int32_t answer; /* what a caller gets that has recorded */
  int64_t extra;  /* words in the packet, beside one for each record */
};

/* The processor's counter; 0 where there is none that is known here. */
int64_t ticks(void);

/* Has the calling thread record there; NULL: nowhere. */
void use_ring(struct lent_ring *ring);

/*
 * Records what a word says, which has no clock yet. Returns the ring's answer, or 0 if nothing was recorded: the
 * ring is not lent to this thread, or full, or the clock's high half is another.
 */
int64_t record(int64_t word, int64_t thread);

/* The same, with an argument behind the word. */
int64_t record_argument(int64_t word, int64_t thread, int64_t argument);

#endif
