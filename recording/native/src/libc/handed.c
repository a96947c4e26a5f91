#include "handed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/guest.h"
#include "base/readable.h"
#include "base/unfollowed.h"
#include "sandbox.h"

/* Maximum size on a stack, which may be small. */
enum { MOST_ON_STACK = 16 * 1024 };

static const char *const names[VARIABLES] = {"KYMO_SESSION", "LD_PRELOAD", "ASAN_OPTIONS", "JAVA_TOOL_OPTIONS"};

/* The part that each variable must contain, as this process was given it; NULL: nothing. */
static const char *ours[VARIABLES];

/* The entry of a list that names this library. */
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

/* The agent's option, as the class ChildEnvironment writes it: in quotes if it contains a blank. */
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

/* Size of an entry with our part added. */
static size_t entry_size(const struct lacks *lacks, enum variable variable) {
  size_t given = lacks->given[variable] == NULL ? 0 : strlen(value_of(lacks, variable)) + 1;
  return strlen(names[variable]) + 1 + given + strlen(ours[variable]) + 1;
}

/* An environment that names another recording, or deliberately none, is not changed. */
static bool is_of_another(const struct lacks *lacks) {
  return lacks->given[SESSION] != NULL && strcmp(value_of(lacks, SESSION), ours[SESSION]) != 0;
}

/* A program whose loader cannot load this library gets it from nobody. Nor does one that inherits a filter of system
 * calls that would end it. */
static bool has_too_much(struct lacks *lacks, char *const *environment) {
  lacks->given[PRELOAD] = find_entry(environment, names[PRELOAD]);
  lacks->too_much = lacks->given[PRELOAD] != NULL && strstr(value_of(lacks, PRELOAD), ours[PRELOAD]) != NULL;
  lacks->bytes = lacks->too_much ? entry_size(lacks, PRELOAD) : 0;
  return lacks->too_much;
}

static void count_entries(struct lacks *lacks, char *const *environment) {
  while (environment != NULL && environment[lacks->entries] != NULL) {
    lacks->entries++;
  }
  lacks->bytes += (lacks->entries + VARIABLES + 1) * sizeof(char *);
}

/* What the kernel cannot read it refuses. */
static bool is_good(char *const *environment) {
  return environment == NULL || ky_is_list(environment);
}

bool ky_lacks(struct lacks *lacks, char *const *environment, const struct program *program) {
  *lacks = (struct lacks) {.entries = 0};
  if (ours[SESSION] == NULL || (environment != environ && !ky_stands_aside && !is_good(environment))) {
    return false;
  }
  if (ky_restriction_is_deadly || (program != NULL && program->obstacle == ky_other_library)) {
    bool changes = has_too_much(lacks, environment);
    if (changes) {
      count_entries(lacks, environment);
    }
    return changes;
  }
  for (enum variable i = 0; i < VARIABLES; i++) {
    lacks->given[i] = find_entry(environment, names[i]);
    bool has = lacks->given[i] != NULL && ours[i] != NULL && strstr(value_of(lacks, i), ours[i]) != NULL;
    lacks->lacks[i] = ours[i] != NULL && !has;
  }
  lacks->lacks[SANITIZER] &= lacks->lacks[PRELOAD]; /* only together with it: otherwise the program has changed it */
  if (is_of_another(lacks)) {
    return false;
  }
  for (enum variable i = 0; i < VARIABLES; i++) {
    lacks->bytes += lacks->lacks[i] ? entry_size(lacks, i) : 0;
  }
  if (lacks->bytes == 0) {
    return false;
  }
  count_entries(lacks, environment);
  return true;
}

size_t ky_on_stack(size_t bytes) {
  return bytes > MOST_ON_STACK ? sizeof(char *) : bytes;
}

void *ky_room_for(size_t bytes, void *stack) {
  if (ky_on_stack(bytes) == bytes) {
    return stack;
  }
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void ky_give_room_back(void *room, size_t bytes, const void *stack) {
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

/* Writes `NAME=value` with our part: the library before others, options after them. Returns the end, after the zero. */
static char *write_entry(char *to, const struct lacks *lacks, enum variable variable) {
  const char *given = lacks->given[variable] == NULL ? "" : value_of(lacks, variable);
  const char *separator = given[0] == 0 ? "" : variable == JAVA ? " " : ":";
  to = append(append(to, names[variable]), "=");
  to = append(to, variable == PRELOAD ? ours[variable] : given);
  to = append(to, separator);
  return append(to, variable == PRELOAD ? given : ours[variable]) + 1;
}

/* Writes the libraries without ours, or nothing if there are no others; returns whether there are. */
static bool write_without(char *to, const struct lacks *lacks) {
  const char *given = value_of(lacks, PRELOAD);
  const char *part = strstr(given, ours[PRELOAD]);
  const char *after = part + strlen(ours[PRELOAD]);
  after += strspn(after, ": ");
  to = append(append(to, names[PRELOAD]), "=");
  memcpy(to, given, (size_t) (part - given));
  append(to + (part - given), after);
  return part > given || *after != 0;
}

char *const *ky_complete(const struct lacks *lacks, char *const *environment, void *room) {
  if (room == NULL) {
    return environment;
  }
  char **copy = room;
  char *text = (char *) (copy + lacks->entries + VARIABLES + 1);
  size_t count = lacks->entries;
  for (size_t i = 0; i < count; i++) {
    copy[i] = environment[i];
  }
  if (lacks->too_much) {
    size_t at = (size_t) (lacks->given[PRELOAD] - environment);
    copy[at] = text;
    if (!write_without(text, lacks)) {
      copy[at] = copy[--count];
    }
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

size_t ky_line_size(const struct lacks *lacks, const char *command) {
  return lacks->bytes + 4 * VARIABLES + strlen("unset LD_PRELOAD; export KYMO_SESSION= ; ") + strlen(command) + 1;
}

/* The shell has this library, which would give it to the command again: an empty session keeps it from that. */
static const char *line_without(const struct lacks *lacks, const char *command, char *room) {
  char *to = append(room, "unset LD_PRELOAD; export KYMO_SESSION=; ");
  char *entry = append(to, "export ");
  if (write_without(entry, lacks)) {
    char *value = entry + strlen(names[PRELOAD]) + 1;
    if (strchr(value, '\'') != NULL) {
      return command;
    }
    size_t length = strlen(value);
    memmove(value + 1, value, length);
    *value = '\'';
    to = append(value + 1 + length, "'; ");
  }
  append(to, command);
  return room;
}

const char *ky_line(const struct lacks *lacks, const char *command, void *room) {
  if (room == NULL) {
    return command;
  }
  if (lacks->too_much) {
    return line_without(lacks, command, room);
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

/* Searches for a program in PATH; false if it is not found. */
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

bool ky_is_absolute(const char *path) {
  return (ky_stands_aside ? path != NULL : ky_is_readable(path, 1)) && path[0] == '/';
}

void ky_look_at_program(struct program *program, const char *name, bool search) {
  int error = errno;
  program->path = NULL;
  program->obstacle = NULL;
  if (ours[SESSION] != NULL && name != NULL && !ky_stands_aside) {
    bool known = !search || strchr(name, '/') != NULL;
    program->path = known ? name
        : find_program(name, program->found, sizeof program->found) ? program->found
                                                                     : NULL;
    program->obstacle = program->path == NULL ? NULL : ky_obstacle(program->path);
  }
  errno = error;
}

void ky_tell_of_program(const struct program *program, pid_t pid) {
  if (program->obstacle != NULL) {
    ky_unfollowed(ours[SESSION], pid, program->obstacle, program->path);
  }
}
