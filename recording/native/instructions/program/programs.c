#include "programs.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../facts.h"
#include "places.h"

/* QEMU and its libraries are mapped above this, the program below. */
#define PROGRAM_END UINT64_C(0x500000000000)

#define MAX_INTERPRETERS 4

size_t ky_peek(void *to, uint64_t address, size_t size) {
  struct iovec local = {to, size};
  struct iovec remote = {(void *) (uintptr_t) address, size};
  ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return got < 0 ? 0 : (size_t) got;
}

static void module_fact(uint64_t address, uint64_t length, uint64_t offset, const char *path) {
  uint64_t fact[] = {ky_clock(), address, length, offset};
  ky_fact(FACT_MODULE, fact, sizeof fact, path, strlen(path), NULL, 0);
}

void ky_module(uint64_t address, uint64_t length, int file, uint64_t offset) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size > 0) {
    path[size] = 0;
    module_fact(address, length, offset, path);
  }
}

uint64_t ky_mapped_modules(void) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL) {
    return 0;
  }
  uint64_t program = 0;
  char line[5000];
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin, end, offset;
    char rights[5];
    int at = 0;
    if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %n", &begin, &end, rights, &offset, &at) == 4 && at > 0
        && line[at] == '/' && begin < PROGRAM_END) {
      line[strcspn(line, "\n")] = 0;
      program = program == 0 ? begin : program;
      module_fact(begin, end - begin, offset, line + at);
    }
  }
  fclose(maps);
  return program;
}

/* Whether QEMU for x86-64 can run a file; reads the interpreter's line of a script. */
enum kind { OTHER, PROGRAM, SCRIPT };

static enum kind kind_of(const char *path, char *line, size_t size) {
  int file = access(path, X_OK) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) {
    return OTHER;
  }
  Elf64_Ehdr head;
  ssize_t got = read(file, &head, sizeof head);
  enum kind kind = OTHER;
  if (got == sizeof head && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_machine == EM_X86_64) {
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
  const char *words[2 * MAX_INTERPRETERS + 1];
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

/* The program to run for a path; NULL if it is none that can be recorded. */
static const char *program_for(const char *path, struct front *front, char lines[][512]) {
  for (int depth = 0; depth < MAX_INTERPRETERS; depth++) {
    enum kind kind = kind_of(path, lines[depth], sizeof lines[depth]);
    if (kind != SCRIPT) {
      return kind == PROGRAM ? path : NULL;
    }
    char *argument;
    char *name = cut_line(lines[depth], &argument);
    put_before(front, name, argument, path);
    path = name;
  }
  return NULL;
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

void ky_exec(const char *path, char *const *arguments, char *const *environment, const char *options) {
  char own[4096];
  char lines[MAX_INTERPRETERS][512];
  struct front front = {{count(arguments) > 0 ? arguments[0] : path}, 1};
  if (strcmp(path, "/proc/self/exe") == 0) {
    return;
  }
  const char *program = program_for(path, &front, lines);
  ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
  Dl_info library; /* this plugin, with the path that QEMU has loaded it from */
  if (program == NULL || size <= 0 || dladdr((const void *) (uintptr_t) ky_exec, &library) == 0) {
    return;
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
  const char **command = calloc(2 * variables + count(arguments) + front.count + 8, sizeof *command);
  const char **kept = calloc(variables + 1, sizeof *kept);
  if (command == NULL || kept == NULL) {
    free(command);
    free(kept);
    return;
  }
  size_t length = 0;
  command[length++] = own;
  command[length++] = "-plugin";
  command[length++] = option;
  size_t left = 0;
  for (size_t i = 0; i < variables; i++) {
    if (for_linker(environment[i])) {
      command[length++] = "-E";
      command[length++] = environment[i];
    } else {
      kept[left++] = environment[i];
    }
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
  free(command);
  free(kept);
}
