/* Words that this library writes into recordings, or understands, and that enums of format/ list as well. A test
 * compares them: so each has a line of its own, X(CONSTANT, "word"). */
#ifndef KYMO_WORDS_H
#define KYMO_WORDS_H

/* What threads wait for: WaitKind. Names of the types of states, in the order of their numbers. */
#define WAIT_KINDS(X) \
  X(MUTEX, "mutex") \
  X(RWLOCK, "rwlock") \
  X(SPINLOCK, "spinlock") \
  X(CONDITION, "condition") \
  X(SEMAPHORE, "semaphore") \
  X(BARRIER, "barrier") \
  X(ONCE_ONLY, "once") \
  X(THREAD_END, "join") \
  X(THREAD_START, "start")

/* Kinds of events: EventKind. In the order of their numbers in kymo.h, KYMO_INSTANT to KYMO_RECEIVE. */
#define EVENT_KINDS(X) \
  X(INSTANT, "instant") \
  X(BEGIN, "begin") \
  X(END, "end") \
  X(COUNTER, "counter") \
  X(SEND, "send") \
  X(RECEIVE, "receive")

#endif
