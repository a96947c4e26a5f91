#include "unfollowed.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  LONGEST_PROGRAM = 256, /* a thread's stack may be small */
  LONGEST_LINE = LONGEST_PROGRAM + 128,
  MOST = 64 * 1024, /* bytes of all lines: a build may start a program a thousand times */
  MOST_SEGMENTS = 24,
  DEEPEST_SCRIPT = 4 /* as the kernel has it */
};

const char ky_other_library[] = "the program is built for the C library musl";

static void append(int file, long pid, const char *why, const char *program) {
  char line[LONGEST_LINE];
  struct stat now;
  int length = snprintf(line, sizeof line, "pid=%ld because %s%s%.*s\n", pid, why,
      program == NULL ? "" : ": ", LONGEST_PROGRAM, program == NULL ? "" : program);
  if (fstat(file, &now) == 0 && now.st_size < MOST && length > 0) {
    ssize_t written = write(file, line, (size_t) length);
    (void) written; /* then the process is not reported */
  }
}

void ky_unfollowed(const char *session, long pid, const char *why, const char *program) {
  int error = errno;
  size_t length = strlen(session) + 16;
  char path[length];
  snprintf(path, length, "%s/unfollowed", session);
  int file = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) {
    append(file, pid, why, program);
    close(file);
  }
  errno = error;
}

static bool is_of_another(const struct stat *program) {
  return ((program->st_mode & S_ISUID) != 0 && program->st_uid != geteuid())
      || ((program->st_mode & S_ISGID) != 0 && program->st_gid != getegid());
}

static bool is_musl(int file, const Elf64_Phdr *loader) {
  char name[LONGEST_PROGRAM];
  size_t size = loader->p_filesz < sizeof name ? loader->p_filesz : sizeof name - 1;
  ssize_t length = pread(file, name, size, (off_t) loader->p_offset);
  name[length < 0 ? 0 : length] = 0;
  return strstr(name, "/ld-musl") != NULL;
}

static const char *obstacle_of_loader(int file, const Elf64_Ehdr *header) {
  Elf64_Phdr segments[MOST_SEGMENTS];
  size_t size = (size_t) header->e_phnum * sizeof segments[0];
  if (size > sizeof segments || pread(file, segments, size, (off_t) header->e_phoff) != (ssize_t) size) {
    return NULL; /* not known */
  }
  for (int i = 0; i < header->e_phnum; i++) {
    if (segments[i].p_type == PT_INTERP) {
      return is_musl(file, segments + i) ? ky_other_library : NULL;
    }
  }
  return "the program is statically linked";
}

static const char *obstacle_at(const char *program, int depth);

/* A script's interpreter runs instead of it: its path follows the mark, and ends at a blank. */
static const char *obstacle_of_script(int file, int depth) {
  char line[LONGEST_PROGRAM];
  ssize_t length = pread(file, line, sizeof line - 1, 0);
  line[length < 0 ? 0 : length] = 0;
  if (strncmp(line, "#!", 2) != 0) {
    return NULL;
  }
  char *path = line + 2 + strspn(line + 2, " \t");
  size_t end = strcspn(path, " \t\n");
  if (path[end] == 0 || depth == DEEPEST_SCRIPT) {
    return NULL; /* not known */
  }
  path[end] = 0;
  return obstacle_at(path, depth + 1);
}

static const char *obstacle_of(int file, int depth) {
  struct stat program;
  Elf64_Ehdr header;
  if (fstat(file, &program) != 0 || !S_ISREG(program.st_mode)) {
    return NULL;
  }
  if (is_of_another(&program)) {
    return "the program runs with another user's rights";
  }
  if (pread(file, &header, sizeof header, 0) != (ssize_t) sizeof header
      || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return obstacle_of_script(file, depth);
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64) {
    return "the program is a 32-bit program";
  }
  return obstacle_of_loader(file, &header);
}

static const char *obstacle_at(const char *program, int depth) {
  const char *why = NULL;
  int file = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) {
    why = obstacle_of(file, depth);
    close(file);
  }
  return why;
}

const char *ky_obstacle(const char *program) {
  int error = errno;
  const char *why = obstacle_at(program, 0);
  errno = error;
  return why;
}
