/* What programs are handed on that a recorded program starts: the variables by which they are recorded, added
 * to an environment that lacks them. In signal handlers and children made by vfork as well: nothing here
 * takes a lock or asks malloc for memory. */
#ifndef KYMO_HANDED_H
#define KYMO_HANDED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum variable { SESSION, PRELOAD, SANITIZER, JAVA, VARIABLES };

/* What an environment lacks. */
struct lacks {
  size_t entries;
  size_t bytes; /* of an environment that has it; 0: it lacks nothing */
  char *const *given[VARIABLES]; /* where it has the variable; NULL: it has not */
  bool lacks[VARIABLES];
};

/* Whether it lacks anything that is to be added. */
bool ky_lacks(struct lacks *lacks, char *const *environment);

/* A copy with what it lacks, in so much room as that says; the same if there is no room. */
char *const *ky_complete(const struct lacks *lacks, char *const *environment, void *room);

/* The shell gets the environment as it is, and is asked to have in it what it lacks: bytes that this takes, and
 * the command. */
size_t ky_line_size(const struct lacks *lacks, const char *command);
const char *ky_line(const struct lacks *lacks, const char *command, void *room);

/* Bytes to take from the stack: of a small room all. */
size_t ky_on_stack(size_t bytes);

/* So much memory: what is on the stack if that is enough; NULL if there is none. */
void *ky_room_for(size_t bytes, void *stack);
void ky_give_room_back(void *room, size_t bytes, const void *stack);

/* Says if a program is about to be run, or was started, into which nothing can be preloaded.
 *
 * @param search whether it is looked for in PATH */
void ky_tell_of_program(const char *program, bool search, pid_t pid);

#endif
