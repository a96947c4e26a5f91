/* The names that a program gives to objects of the thread library. */
#ifndef KYMO_OBJECTS_H
#define KYMO_OBJECTS_H

#include <stdint.h>

/* The subsystem of the events of thread operations. */
#define PTHREAD_SUBSYSTEM "pthread", 0, "threads", ""

enum { MOST_NAMES = 65536, LONGEST_NAME = 1024, KINDS_OF_WAITS = 16 };

struct named {
  struct named *next;
  const void *object;
  const char *name; /* empty: the name was removed */
  uint32_t number; /* from 0, below MOST_NAMES */
  uint8_t defined[KINDS_OF_WAITS]; /* by kind of wait: generation of the recording that has its definition */
};

/* NULL if the object has no name. */
struct named *ky_named(const void *object);

#endif
