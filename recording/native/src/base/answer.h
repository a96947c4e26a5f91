/* Text that answers a command of `kymo ctl`. */
#ifndef KYMO_ANSWER_H
#define KYMO_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

/* An answer that is being written; text without room is left out. */
struct answer {
  char *text;
  uint32_t room;
  uint32_t size;
  uint32_t from; /* 0, or `next` of the previous part */
  uint32_t next; /* 0: this part is the last */
};

/* Appends text; false if there is no room for it. */
bool ky_say_to(struct answer *answer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
