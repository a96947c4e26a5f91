/* Hands the variables by which programs are recorded on to the programs that a recorded program starts: adds them to an
 * environment that lacks them. Also for signal handlers and children made by vfork: nothing here takes a lock or calls
 * malloc. */
#ifndef KYMO_HANDED_H
#define KYMO_HANDED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum variable { SESSION, PRELOAD, SANITIZER, JAVA, VARIABLES };

/* A program that is to be started. */
struct program {
  const char *path; /* NULL: not found */
  const char *obstacle; /* why no library can be preloaded into it; NULL: none, or not known */
  char found[256]; /* a thread's stack may be small */
};

/* What an environment lacks; or has too much. */
struct lacks {
  bool too_much; /* our library, which the program's loader cannot load, or which would be ended in the program */
  size_t entries;
  size_t bytes; /* of the environment as it is to be; 0: it is so already */
  char *const *given[VARIABLES]; /* where the environment has the variable; NULL: it does not have it */
  bool lacks[VARIABLES];
};

/* Whether the environment lacks anything that is to be added.
 *
 * @param program that gets it; NULL: a shell */
bool ky_lacks(struct lacks *lacks, char *const *environment, const struct program *program);

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

/* Looks at a program that is about to run; errno is kept.
 *
 * @param search whether it is searched for in PATH */
void ky_look_at_program(struct program *program, const char *name, bool search);

/* A program may give NULL, which the kernel refuses. */
bool ky_is_absolute(const char *path);

/* Reports it if it cannot be recorded. */
void ky_tell_of_program(const struct program *program, pid_t pid);

#endif
