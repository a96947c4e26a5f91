/* Names of objects of the thread library. */
#ifndef KYMO_OBJECTS_H
#define KYMO_OBJECTS_H

#include <stdint.h>

/* The group of the events of thread operations. */
#define PTHREAD_SUBSYSTEM "pthread", 0, "threads", ""

enum { MOST_NAMES = 65536, LONGEST_NAME = 1024, KINDS_OF_WAITS = 16 };

struct named {
  struct named *next;
  const void *object;
  const char *name; /* empty: it has none any more */
  uint32_t number; /* from 0, below MOST_NAMES */
  uint8_t defined[KINDS_OF_WAITS]; /* recording's generation that knows of waits for it */
};

/* NULL if the object has no name. */
struct named *ky_named(const void *object);

#endif
