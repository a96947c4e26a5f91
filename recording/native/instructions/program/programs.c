#include "programs.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../facts.h"
#include "places.h"
#include "targets.h"

/* The kernel follows so many scripts. */
#define MAX_FILES 6

/* Whether QEMU for x86-64 can run a file; reads the interpreter's line of a script. */
enum kind { OTHER, PROGRAM, SCRIPT };

static enum kind kind_of(const char *path, char *line, size_t size) {
  int file = faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) {
    return OTHER;
  }
  Elf64_Ehdr head;
  ssize_t got = read(file, &head, sizeof head);
  enum kind kind = OTHER;
  if (got == sizeof head && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_machine == EM_X86_64
      && head.e_ident[EI_CLASS] == ELFCLASS64) {
    kind = PROGRAM;
  } else if (got >= 2 && memcmp(&head, "#!", 2) == 0) {
    got = pread(file, line, size - 1, 2);
    if (got > 0) {
      line[got] = 0;
      line[strcspn(line, "\n")] = 0;
      kind = SCRIPT;
    }
  }
  close(file);
  return kind;
}

static size_t count(char *const *strings) {
  size_t count = 0;
  while (strings != NULL && strings[count] != NULL) {
    count++;
  }
  return count;
}

/* QEMU itself must not get what is meant for the program's dynamic linker. */
static bool for_linker(const char *variable) {
  return strncmp(variable, "LD_", 3) == 0;
}

/* Cuts a script's first line into the interpreter and its argument, which is NULL if there is none. */
static char *cut_line(char *line, char **argument) {
  char *name = line + strspn(line, " \t");
  char *rest = name + strcspn(name, " \t\r");
  *argument = NULL;
  if (*rest != 0) {
    *rest++ = 0;
    rest += strspn(rest, " \t");
    for (char *end = rest + strlen(rest); end > rest && strchr(" \t\r", end[-1]) != NULL;) {
      *--end = 0;
    }
    *argument = *rest == 0 ? NULL : rest;
  }
  return name;
}

/* What takes the place of argument 0: an interpreter, its argument and the script come before the other arguments. */
struct front {
  const char *words[2 * MAX_FILES + 1];
  size_t count;
};

static void put_before(struct front *front, const char *interpreter, const char *argument, const char *script) {
  size_t added = argument == NULL ? 1 : 2;
  memmove(front->words + added, front->words, front->count * sizeof *front->words);
  front->words[0] = interpreter;
  if (argument != NULL) {
    front->words[1] = argument;
  }
  front->words[added] = script;
  front->count += added;
}

/* Finds the program to run for a name; false if it is none that can be recorded. */
static bool program_for(const char *name, struct front *front, char lines[][512], char *program) {
  for (int depth = 0; depth < MAX_FILES; depth++) {
    enum kind kind =
      ky_target_path(program, PATH_MAX, name) ? kind_of(program, lines[depth], sizeof lines[depth]) : OTHER;
    if (kind != SCRIPT) {
      return kind == PROGRAM;
    }
    char *argument;
    char *interpreter = cut_line(lines[depth], &argument);
    put_before(front, interpreter, argument, name);
    name = interpreter;
  }
  return false;
}

/* QEMU cuts a plugin's option at commas, unless they are doubled. */
static void doubled(char *to, size_t size, const char *text) {
  size_t at = 0;
  for (; *text != 0 && at + 2 < size; text++) {
    if (*text == ',') {
      to[at++] = ',';
    }
    to[at++] = *text;
  }
  to[at] = 0;
}

/* Whether QEMU finds what it needs; a program may have changed its root, its user or its limits. */
static bool is_reachable(const char *library) {
  char shared[8192];
  snprintf(shared, sizeof shared, "%s/shared", ky_directory);
  return faccessat(AT_FDCWD, library, R_OK, AT_EACCESS) == 0
         && (ky_is_over() || (ky_may_have_facts() && faccessat(AT_FDCWD, shared, R_OK | W_OK, AT_EACCESS) == 0));
}

/* Whether the kernel may start a file. */
static bool can_be_started(const char *name) {
  struct stat file;
  return stat(name, &file) == 0 && S_ISREG(file.st_mode) && faccessat(AT_FDCWD, name, X_OK, AT_EACCESS) == 0;
}

/* A variable for the dynamic linker is the program's, not QEMU's. QEMU takes such from a variable of its own, which is
 * no more in the program's environment then; options would be for everybody to read. It divides them at commas. */
static bool is_handed_on(const char *variable) {
  return for_linker(variable) && strchr(variable, ',') == NULL;
}

static const char SET[] = "QEMU_SET_ENV=";
static const char UNSET[] = "QEMU_UNSET_ENV=QEMU_SET_ENV,QEMU_UNSET_ENV";

/* The variables that are handed on, as QEMU takes them; null: there are none, or no memory. */
static char *handed_on(char *const *environment) {
  size_t size = sizeof SET;
  for (char *const *each = environment; each != NULL && *each != NULL; each++) {
    size += is_handed_on(*each) ? strlen(*each) + 1 : 0;
  }
  char *all = size > sizeof SET ? malloc(size) : NULL;
  if (all == NULL) {
    return NULL;
  }
  char *end = stpcpy(all, SET);
  for (char *const *each = environment; *each != NULL; each++) {
    if (is_handed_on(*each)) {
      end = stpcpy(end, *each);
      *end++ = ',';
    }
  }
  end[-1] = 0;
  return all;
}

bool ky_exec(const char *name, char *const *arguments, char *const *environment, const char *options) {
  char own[4096];
  char program[PATH_MAX];
  char lines[MAX_FILES][512];
  struct front front = {{count(arguments) > 0 ? arguments[0] : ""}, 1};
  ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
  Dl_info library; /* this plugin, with the path that QEMU has loaded it from */
  if (size <= 0 || dladdr((const void *) (uintptr_t) ky_exec, &library) == 0 || !is_reachable(library.dli_fname)
      || !program_for(name, &front, lines, program)) {
    return can_be_started(name);
  }
  own[size] = 0;
  char plugin[8192];
  char directory[8192];
  char option[sizeof plugin + sizeof directory + 256];
  char places[128] = "";
  doubled(plugin, sizeof plugin, library.dli_fname);
  doubled(directory, sizeof directory, ky_directory);
  ky_places_of_children(places, sizeof places);
  snprintf(option, sizeof option, "%s,directory=%s,parent=%u%s%s", plugin, directory, ky_process, places,
    options);

  size_t variables = count(environment);
  const char **command = calloc(count(arguments) + front.count + 8, sizeof *command);
  const char **kept = calloc(variables + 3, sizeof *kept);
  if (command == NULL || kept == NULL) {
    free(command);
    free(kept);
    return true;
  }
  size_t length = 0;
  command[length++] = own;
  command[length++] = "-plugin";
  command[length++] = option;
  size_t left = 0;
  for (size_t i = 0; i < variables; i++) {
    if (!is_handed_on(environment[i])) {
      kept[left++] = environment[i];
    }
  }
  char *handed = handed_on(environment);
  if (handed != NULL) {
    kept[left++] = handed;
    kept[left++] = UNSET;
  }
  command[length++] = "-0";
  command[length++] = front.words[0];
  command[length++] = program;
  for (size_t i = 1; i < front.count; i++) {
    command[length++] = front.words[i];
  }
  for (size_t i = 1; i < count(arguments); i++) {
    command[length++] = arguments[i];
  }
  execve(own, (char **) (uintptr_t) command, (char **) (uintptr_t) kept);
  free(handed);
  free(command);
  free(kept);
  return true;
}
