/* An event as the program defined it. */
#ifndef KYMO_EVENT_H
#define KYMO_EVENT_H

#include <stdint.h>

struct subsystem {
  struct subsystem *next;
  uint32_t number;
  uint16_t id;
  const char *name;
  const char *category;
  const char *color;
};

struct event {
  struct event *next; /* in the order of definition */
  struct event *next_in_bucket;
  struct subsystem *subsystem;
  uint32_t hash;
  uint32_t number;
  uint16_t id;
  int kind;
  const char *name;
  const char *begin;
  const char *description;
  const char *fields;
};

#endif
