/* What may be said to a process that is being recorded, by `kymo ctl`: one line each, in the words of the
 * class RecorderCommands of recorder/. An answer that begins with "error: " says why nothing was done. */
#ifndef KYMO_COMMANDS_H
#define KYMO_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* An answer being written; what finds no room is left out. */
struct answer {
  char *text;
  uint32_t room;
  uint32_t size;
  uint32_t from; /* 0, or what `next` was in the part before */
  uint32_t next; /* 0: this is all */
};

/* Appends text; false if it has no room. */
bool ky_say_to(struct answer *answer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does what a line says, which is taken apart; within a guard. */
void ky_obey(struct process *process, char *line, struct answer *answer);

#endif
