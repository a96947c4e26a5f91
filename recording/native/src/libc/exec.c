/* Wrappers that start programs: a recorded program may start others with an environment of their own, which then gets
 * this library's variables; nothing else is changed.
 *
 * They may be called in a signal handler, and in a child made by vfork, which shares its parent's memory. So nothing
 * here takes a lock or calls malloc. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guest.h"
#include "handed.h"
#include "kymo.h"

typedef int exec_function(const char *, char *const[], char *const[]);
typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
    const posix_spawnattr_t *, char *const[], char *const[]);

static exec_function *real_execve;
static exec_function *real_execvpe;
static int (*real_fexecve)(int, char *const[], char *const[]);
static int (*real_execveat)(int, const char *, char *const[], char *const[], int);
static spawn_function *real_posix_spawn;
static spawn_function *real_posix_spawnp;
static int (*real_system)(const char *);
static FILE *(*real_popen)(const char *, const char *);

#define FIND(name) \
  do { \
    void *found = dlsym(RTLD_NEXT, #name); \
    memcpy(&real_##name, &found, sizeof found); \
  } while (0)

static __attribute__((constructor(102))) void find(void) {
  FIND(execve);
  FIND(execvpe);
  FIND(fexecve);
  FIND(execveat);
  FIND(posix_spawn);
  FIND(posix_spawnp);
  FIND(system);
  FIND(popen);
}

/* Before the constructors have run there is no other thread, and no handler. */
#define REAL(name) (real_##name == NULL ? (find(), real_##name) : real_##name)

/* Evaluates a call with the completed environment, which it names `handed`, and returns its result. */
#define HAND_ON(program, environment, call) \
  struct lacks lacks; \
  char *const *handed = (environment); \
  if (!ky_lacks(&lacks, handed, program)) { \
    return call; \
  } \
  char stack[ky_on_stack(lacks.bytes)] __attribute__((aligned(16))); \
  void *room = ky_room_for(lacks.bytes, stack); \
  handed = ky_complete(&lacks, handed, room); \
  int result = call; \
  ky_give_room_back(room, lacks.bytes, stack); \
  return result

static const struct program *told(struct program *program, const char *name, bool search) {
  ky_look_at_program(program, name, search);
  if (program->obstacle != NULL) {
    ky_tell_of_program(program, getpid());
  }
  return program;
}

enum { DESCRIPTOR_PATH = 32 };

static const char *name_descriptor(char path[DESCRIPTOR_PATH], int fd) {
  ky_path(path, "/proc/self/fd/", "", fd);
  return path;
}

KYMO_API int execve(const char *path, char *const arguments[], char *const environment[]);

int execve(const char *path, char *const arguments[], char *const environment[]) {
  struct program program;
  HAND_ON(told(&program, path, false), environment, REAL(execve)(path, arguments, handed));
}

KYMO_API int execv(const char *path, char *const arguments[]);

int execv(const char *path, char *const arguments[]) {
  struct program program;
  HAND_ON(told(&program, path, false), environ, REAL(execve)(path, arguments, handed));
}

KYMO_API int execvpe(const char *file, char *const arguments[], char *const environment[]);

int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  struct program program;
  HAND_ON(told(&program, file, true), environment, REAL(execvpe)(file, arguments, handed));
}

KYMO_API int execvp(const char *file, char *const arguments[]);

int execvp(const char *file, char *const arguments[]) {
  struct program program;
  HAND_ON(told(&program, file, true), environ, REAL(execvpe)(file, arguments, handed));
}

KYMO_API int fexecve(int fd, char *const arguments[], char *const environment[]);

int fexecve(int fd, char *const arguments[], char *const environment[]) {
  struct program program;
  char path[DESCRIPTOR_PATH];
  HAND_ON(told(&program, name_descriptor(path, fd), false), environment, REAL(fexecve)(fd, arguments, handed));
}

KYMO_API int execveat(
    int fd, const char *path, char *const arguments[], char *const environment[], int flags);

static int at(int fd, const char *path, char *const arguments[], char *const environment[], int flags) {
  if (REAL(execveat) == NULL) { /* a C library before 2.34 does not have it, and then nobody calls it */
    errno = ENOSYS;
    return -1;
  }
  return real_execveat(fd, path, arguments, environment, flags);
}

int execveat(int fd, const char *path, char *const arguments[], char *const environment[], int flags) {
  struct program program;
  char name[DESCRIPTOR_PATH];
  const char *known = (flags & AT_EMPTY_PATH) != 0 ? name_descriptor(name, fd)
      : fd == AT_FDCWD || ky_is_absolute(path)     ? path
                                                   : NULL;
  HAND_ON(told(&program, known, false), environment, at(fd, path, arguments, handed, flags));
}

/* Counts arguments up to a NULL; an environment may follow it. */
static size_t count(va_list *list) {
  size_t arguments = 1;
  while (va_arg(*list, char *) != NULL) {
    arguments++;
  }
  return arguments;
}

static void take(char **to, const char *first, size_t arguments, va_list *list) {
  to[0] = (char *) first;
  for (size_t i = 1; i <= arguments; i++) {
    to[i] = va_arg(*list, char *);
  }
}

#define LISTED(first) \
  va_list list; \
  va_start(list, first); \
  size_t size = count(&list); \
  va_end(list); \
  char *arguments[size + 1]; \
  va_start(list, first); \
  take(arguments, first, size, &list)

KYMO_API int execl(const char *path, const char *first, ...);

int execl(const char *path, const char *first, ...) {
  LISTED(first);
  va_end(list);
  return execv(path, arguments);
}

KYMO_API int execlp(const char *file, const char *first, ...);

int execlp(const char *file, const char *first, ...) {
  LISTED(first);
  va_end(list);
  return execvp(file, arguments);
}

KYMO_API int execle(const char *path, const char *first, ...);

int execle(const char *path, const char *first, ...) {
  LISTED(first);
  char *const *environment = va_arg(list, char *const *);
  va_end(list);
  return execve(path, arguments, environment);
}

static int started(int error, const struct program *program, const pid_t *pid) {
  if (error == 0) {
    ky_tell_of_program(program, pid == NULL ? 0 : *pid);
  }
  return error;
}

KYMO_API int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  struct program program;
  ky_look_at_program(&program, path, false);
  HAND_ON(&program, environment,
      started(REAL(posix_spawn)(pid, path, actions, attributes, arguments, handed), &program, pid));
}

KYMO_API int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  struct program program;
  ky_look_at_program(&program, file, true);
  HAND_ON(&program, environment,
      started(REAL(posix_spawnp)(pid, file, actions, attributes, arguments, handed), &program, pid));
}

#define HAND_ON_TO_SHELL(type, call) \
  struct lacks lacks; \
  const char *handed = command; \
  if (command == NULL || !ky_lacks(&lacks, environ, NULL)) { \
    return call; \
  } \
  size_t size = ky_line_size(&lacks, command); \
  char stack[ky_on_stack(size)]; \
  void *room = ky_room_for(size, stack); \
  handed = ky_line(&lacks, command, room); \
  type result = call; \
  ky_give_room_back(room, size, stack); \
  return result

KYMO_API int system(const char *command);

int system(const char *command) {
  HAND_ON_TO_SHELL(int, REAL(system)(handed));
}

KYMO_API FILE *popen(const char *command, const char *mode);

FILE *popen(const char *command, const char *mode) {
  HAND_ON_TO_SHELL(FILE *, REAL(popen)(handed, mode));
}
