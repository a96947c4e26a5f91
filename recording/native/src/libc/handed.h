/* Hands the variables by which programs are recorded on to the programs that a recorded program starts: adds them to an
 * environment that lacks them. Also for signal handlers and children made by vfork: nothing here takes a lock or calls
 * malloc. */
#ifndef KYMO_HANDED_H
#define KYMO_HANDED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum variable { SESSION, PRELOAD, SANITIZER, JAVA, VARIABLES };

/* What an environment lacks. */
struct lacks {
  size_t entries;
  size_t bytes; /* of a completed environment; 0: it lacks nothing */
  char *const *given[VARIABLES]; /* where the environment has the variable; NULL: it does not have it */
  bool lacks[VARIABLES];
};

/* Whether the environment lacks anything that is to be added. */
bool ky_lacks(struct lacks *lacks, char *const *environment);

/* A completed copy in a room of `lacks->bytes` bytes; the environment itself if the room is NULL. */
char *const *ky_complete(const struct lacks *lacks, char *const *environment, void *room);

/* A shell gets the environment unchanged, and a command line that first exports what it lacks: the size of that line in
 * bytes, and the line. */
size_t ky_line_size(const struct lacks *lacks, const char *command);
const char *ky_line(const struct lacks *lacks, const char *command, void *room);

/* Bytes to take from the stack: all of a small room. */
size_t ky_on_stack(size_t bytes);

/* A room of `bytes` bytes: the one on the stack if it is large enough; NULL if there is no memory. */
void *ky_room_for(size_t bytes, void *stack);
void ky_give_room_back(void *room, size_t bytes, const void *stack);

/* Reports a program that is about to run, or was started, if no library can be preloaded into it.
 *
 * @param search whether it is searched for in PATH */
void ky_tell_of_program(const char *program, bool search, pid_t pid);

#endif
