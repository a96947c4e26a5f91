/* Programs that a recorded program starts with an environment of their own: they get this library's
 * variables all the same, and nothing else is changed. In the shared library only, where these functions
 * come before libc's.
 *
 * They may be called in a signal handler, and in a child made by vfork, whose memory is its parent's: so
 * nothing here takes a lock or asks malloc for memory. */
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"
#include "kymo.h"
#include "unfollowed.h"

/* More than that is not taken from a stack, which may be small. */
enum { MOST_ON_STACK = 16 * 1024 };

enum variable { SESSION, PRELOAD, SANITIZER, JAVA, VARIABLES };

static const char *const names[VARIABLES] = {"KYMO_SESSION", "LD_PRELOAD", "ASAN_OPTIONS", "JAVA_TOOL_OPTIONS"};

/* What each must have; NULL: nothing. As this process was given it. */
static const char *ours[VARIABLES];

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

/* The part of a list that names this library: from the separator before it to that after it. */
static const char *part_with(const char *list, const char *name, const char *separators) {
  const char *there = list == NULL ? NULL : strstr(list, name);
  if (there == NULL) {
    return NULL;
  }
  const char *begin = there;
  while (begin > list && strchr(separators, begin[-1]) == NULL) {
    begin--;
  }
  return ky_copy(begin, (size_t) (there - begin) + strcspn(there, separators));
}

/* The agent's option, as the class ChildEnvironment writes it: in quotes if there is a blank in it. */
static const char *java_option(const char *options) {
  const char *agent = options == NULL ? NULL : strstr(options, "kymo-agent.jar=");
  if (agent == NULL) {
    return NULL;
  }
  const char *begin = agent;
  while (begin > options && strncmp(begin, "-javaagent:", 11) != 0) {
    begin--;
  }
  bool quoted = begin > options && begin[-1] == '"';
  size_t length = (size_t) (agent - begin) + strcspn(agent, quoted ? "\"" : " \t");
  return ky_copy(begin - quoted, length + 2 * quoted);
}

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

static __attribute__((constructor(102))) void take_ours(void) {
  const char *session = secure_getenv(names[SESSION]);
  const char *library = part_with(secure_getenv(names[PRELOAD]), "libkymo", ": ");
  if (session != NULL && session[0] != 0 && library != NULL) {
    ours[PRELOAD] = library;
    ours[SANITIZER] = "verify_asan_link_order=0";
    ours[JAVA] = java_option(secure_getenv(names[JAVA]));
    ours[SESSION] = ky_copy(session, strlen(session));
  }
}

/* Before any constructor has run there is no other thread, and no handler. */
#define REAL(name) (real_##name == NULL ? (find(), real_##name) : real_##name)

/* What an environment lacks. */
struct lacks {
  size_t entries;
  size_t bytes; /* of an environment that has it; 0: it lacks nothing */
  char *const *given[VARIABLES]; /* where it has the variable; NULL: it has not */
  bool lacks[VARIABLES];
};

static char *const *find_entry(char *const *environment, const char *name) {
  size_t length = strlen(name);
  for (; environment != NULL && *environment != NULL; environment++) {
    if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') {
      return environment;
    }
  }
  return NULL;
}

static const char *value_of(const struct lacks *lacks, enum variable variable) {
  return *lacks->given[variable] + strlen(names[variable]) + 1;
}

/* Bytes of an entry that has ours as well. */
static size_t entry_size(const struct lacks *lacks, enum variable variable) {
  size_t given = lacks->given[variable] == NULL ? 0 : strlen(value_of(lacks, variable)) + 1;
  return strlen(names[variable]) + 1 + given + strlen(ours[variable]) + 1;
}

/* An environment that names another recording, or none on purpose, is left alone. */
static bool is_of_another(const struct lacks *lacks) {
  return lacks->given[SESSION] != NULL && strcmp(value_of(lacks, SESSION), ours[SESSION]) != 0;
}

static bool look(struct lacks *lacks, char *const *environment) {
  *lacks = (struct lacks) {.entries = 0};
  if (ours[SESSION] == NULL) {
    return false;
  }
  for (enum variable i = 0; i < VARIABLES; i++) {
    lacks->given[i] = find_entry(environment, names[i]);
    bool has = lacks->given[i] != NULL && ours[i] != NULL && strstr(value_of(lacks, i), ours[i]) != NULL;
    lacks->lacks[i] = ours[i] != NULL && !has;
  }
  lacks->lacks[SANITIZER] &= lacks->lacks[PRELOAD]; /* with it: else the program has changed it */
  if (is_of_another(lacks)) {
    return false;
  }
  for (enum variable i = 0; i < VARIABLES; i++) {
    lacks->bytes += lacks->lacks[i] ? entry_size(lacks, i) : 0;
  }
  if (lacks->bytes == 0) {
    return false;
  }
  while (environment != NULL && environment[lacks->entries] != NULL) {
    lacks->entries++;
  }
  lacks->bytes += (lacks->entries + VARIABLES + 1) * sizeof(char *);
  return true;
}

static size_t on_stack(size_t bytes) {
  return bytes > MOST_ON_STACK ? sizeof(char *) : bytes;
}

/* So much memory: what is on the stack if that is enough; NULL if there is none. */
static void *room_for(size_t bytes, void *stack) {
  if (on_stack(bytes) == bytes) {
    return stack;
  }
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void give_back(void *room, size_t bytes, const void *stack) {
  if (room != NULL && room != stack) {
    int error = errno;
    munmap(room, bytes);
    errno = error;
  }
}

static char *append(char *to, const char *text) {
  size_t length = strlen(text);
  memcpy(to, text, length + 1);
  return to + length;
}

/* `NAME=value` with ours: the library before others, options behind them. Returns its end, behind a zero. */
static char *write_entry(char *to, const struct lacks *lacks, enum variable variable) {
  const char *given = lacks->given[variable] == NULL ? "" : value_of(lacks, variable);
  const char *separator = given[0] == 0 ? "" : variable == JAVA ? " " : ":";
  to = append(append(to, names[variable]), "=");
  to = append(to, variable == PRELOAD ? ours[variable] : given);
  to = append(to, separator);
  return append(to, variable == PRELOAD ? given : ours[variable]) + 1;
}

/* A copy with what it lacks. */
static char *const *complete(const struct lacks *lacks, char *const *environment, void *room) {
  if (room == NULL) {
    return environment;
  }
  char **copy = room;
  char *text = (char *) (copy + lacks->entries + VARIABLES + 1);
  size_t count = lacks->entries;
  for (size_t i = 0; i < count; i++) {
    copy[i] = environment[i];
  }
  for (enum variable i = 0; i < VARIABLES; i++) {
    if (lacks->lacks[i]) {
      size_t at = lacks->given[i] == NULL ? count++ : (size_t) (lacks->given[i] - environment);
      copy[at] = text;
      text = write_entry(text, lacks, i);
    }
  }
  copy[count] = NULL;
  return copy;
}

/* Where a program is that is looked for in PATH; false if it is not found. */
static bool find_program(const char *file, char *found, size_t size) {
  const char *path = getenv("PATH");
  path = path == NULL ? "/bin:/usr/bin" : path;
  while (true) {
    size_t length = strcspn(path, ":");
    int written = snprintf(found, size, "%.*s%s%s", (int) length, path, length > 0 ? "/" : "", file);
    if (written > 0 && (size_t) written < size && access(found, X_OK) == 0) {
      return true;
    }
    if (path[length] == 0) {
      return false;
    }
    path += length + 1;
  }
}

/* Says if a program is about to be run, or was started, into which nothing can be preloaded. */
static void tell_of(const char *program, bool search, pid_t pid) {
  char found[256]; /* a thread's stack may be small */
  if (ours[SESSION] == NULL || program == NULL) {
    return;
  }
  int error = errno;
  if (search && strchr(program, '/') == NULL) {
    program = find_program(program, found, sizeof found) ? found : NULL;
  }
  const char *why = program == NULL ? NULL : ky_obstacle(program);
  if (why != NULL) {
    ky_unfollowed(ours[SESSION], pid, why, program);
  }
  errno = error;
}

/* Does something with an environment, which is called `handed` in it, and answers its result. */
#define HAND_ON(environment, call) \
  struct lacks lacks; \
  char *const *handed = (environment); \
  if (!look(&lacks, handed)) { \
    return call; \
  } \
  char stack[on_stack(lacks.bytes)] __attribute__((aligned(16))); \
  void *room = room_for(lacks.bytes, stack); \
  handed = complete(&lacks, handed, room); \
  int result = call; \
  give_back(room, lacks.bytes, stack); \
  return result

KYMO_API int execve(const char *path, char *const arguments[], char *const environment[]);

int execve(const char *path, char *const arguments[], char *const environment[]) {
  tell_of(path, false, getpid());
  HAND_ON(environment, REAL(execve)(path, arguments, handed));
}

KYMO_API int execv(const char *path, char *const arguments[]);

int execv(const char *path, char *const arguments[]) {
  tell_of(path, false, getpid());
  HAND_ON(environ, REAL(execve)(path, arguments, handed));
}

KYMO_API int execvpe(const char *file, char *const arguments[], char *const environment[]);

int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  tell_of(file, true, getpid());
  HAND_ON(environment, REAL(execvpe)(file, arguments, handed));
}

KYMO_API int execvp(const char *file, char *const arguments[]);

int execvp(const char *file, char *const arguments[]) {
  tell_of(file, true, getpid());
  HAND_ON(environ, REAL(execvpe)(file, arguments, handed));
}

KYMO_API int fexecve(int fd, char *const arguments[], char *const environment[]);

int fexecve(int fd, char *const arguments[], char *const environment[]) {
  HAND_ON(environment, REAL(fexecve)(fd, arguments, handed));
}

KYMO_API int execveat(
    int fd, const char *path, char *const arguments[], char *const environment[], int flags);

static int at(int fd, const char *path, char *const arguments[], char *const environment[], int flags) {
  if (REAL(execveat) == NULL) { /* a C library before 2.34 has none, but then nobody calls it */
    errno = ENOSYS;
    return -1;
  }
  return real_execveat(fd, path, arguments, environment, flags);
}

int execveat(int fd, const char *path, char *const arguments[], char *const environment[], int flags) {
  HAND_ON(environment, at(fd, path, arguments, handed, flags));
}

/* Arguments up to a NULL, and after it the environment where there is one. */
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

static int told(int error, const char *program, bool search, const pid_t *pid) {
  if (error == 0) {
    tell_of(program, search, pid == NULL ? 0 : *pid);
  }
  return error;
}

KYMO_API int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  HAND_ON(environment, told(REAL(posix_spawn)(pid, path, actions, attributes, arguments, handed), path, false, pid));
}

KYMO_API int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  HAND_ON(environment, told(REAL(posix_spawnp)(pid, file, actions, attributes, arguments, handed), file, true, pid));
}

/* The shell gets the environment as it is, and is asked to have in it what it lacks. */
static size_t line_size(const struct lacks *lacks, const char *command) {
  return lacks->bytes + 4 * VARIABLES + strlen("export ; ") + strlen(command) + 1;
}

static const char *line(const struct lacks *lacks, const char *command, void *room) {
  if (room == NULL) {
    return command;
  }
  char *to = append(room, "export");
  for (enum variable i = 0; i < VARIABLES; i++) {
    if (lacks->lacks[i]) {
      char *entry = append(to, " ");
      to = write_entry(entry, lacks, i) - 1;
      char *value = entry + strlen(names[i]) + 1;
      if (strchr(value, '\'') != NULL) {
        return command;
      }
      memmove(value + 1, value, (size_t) (to - value));
      *value = '\'';
      to = append(to + 1, "'");
    }
  }
  append(append(to, "; "), command);
  return room;
}

#define HAND_ON_TO_SHELL(type, call) \
  struct lacks lacks; \
  const char *handed = command; \
  if (command == NULL || !look(&lacks, environ)) { \
    return call; \
  } \
  size_t size = line_size(&lacks, command); \
  char stack[on_stack(size)]; \
  void *room = room_for(size, stack); \
  handed = line(&lacks, command, room); \
  type result = call; \
  give_back(room, size, stack); \
  return result

KYMO_API int system(const char *command);

int system(const char *command) {
  HAND_ON_TO_SHELL(int, REAL(system)(handed));
}

KYMO_API FILE *popen(const char *command, const char *mode);

FILE *popen(const char *command, const char *mode) {
  HAND_ON_TO_SHELL(FILE *, REAL(popen)(handed, mode));
}
