#include "own.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../facts.h"
#include "memory.h"

#define PIECE (1024 * 1024)

static char path[PATH_MAX];
static struct stat file_of_program;

/* Where QEMU has the name; NULL: nobody knows. */
static const char *given;

/* The file as it was, which exists as long as it is mapped; NULL: it could not be mapped. */
static const void *mapped;

/* Where the process's command line begins: the 48th field of its state, whose second one is a name in parentheses. */
static uint64_t command_line(void) {
  static char text[4096];
  int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) {
    close(file);
  }
  text[size < 0 ? 0 : size] = 0;
  const char *at = strrchr(text, ')');
  for (int field = 2; field < 48 && at != NULL; field++) {
    at = strchr(at + 1, ' ');
  }
  return at == NULL ? 0 : strtoull(at + 1, NULL, 10);
}

void ky_remember_program(const char *name, size_t offset) {
  char found[PATH_MAX];
  uint64_t at = command_line();
  if (at != 0 && ky_peek_text(found, sizeof found, at + offset) && strcmp(found, name) == 0) {
    given = (const char *) at + offset;
  }
  int file = realpath(name, path) == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &file_of_program) != 0) {
    path[0] = 0;
  } else {
    void *whole = mmap(NULL, (size_t) file_of_program.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    mapped = whole == MAP_FAILED ? NULL : whole;
  }
  if (file >= 0) {
    close(file);
  }
}

/* Replaces the name in QEMU's variables; copies of its address elsewhere are for other purposes. */
static int in_emulator(struct dl_phdr_info *file, size_t size, void *nothing) {
  (void) size, (void) nothing;
  for (int i = 0; i < file->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &file->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0) {
      uintptr_t at = (file->dlpi_addr + part->p_vaddr + 7) & ~(uintptr_t) 7;
      uintptr_t end = file->dlpi_addr + part->p_vaddr + part->p_memsz;
      for (; at + sizeof given <= end; at += sizeof given) {
        const char **variable = (const char **) at;
        if (*variable == given) {
          *variable = path;
        }
      }
    }
  }
  return 1;
}

void ky_tell_program(void) {
  if (path[0] != 0 && given != NULL) {
    dl_iterate_phdr(in_emulator, NULL);
  }
}

/* Makes the file that a copy goes to; there is at most one of each process, because it then is another one. */
static int make(char *to, size_t size, uint64_t bytes) {
  uint64_t before = atomic_fetch_add_explicit(&ky_shared->written, bytes, memory_order_relaxed);
  bool room = (ky_shared->limit == 0 || before + bytes <= ky_shared->limit) && ky_may_have(bytes);
  ky_file_name(to, size, ky_process, "program");
  int file = room && !ky_is_over() ? open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700) : -1;
  if (file < 0) {
    atomic_fetch_sub_explicit(&ky_shared->written, bytes, memory_order_relaxed);
  }
  return file;
}

static bool end(int file, const char *name, bool whole) {
  close(file);
  if (!whole) {
    unlink(name);
  }
  return whole;
}

static bool write_all(int to, const uint8_t *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(to, bytes, size < PIECE ? size : PIECE);
    if (written <= 0) {
      return false; /* also if somebody has cut the mapped file */
    }
    bytes += written;
    size -= (size_t) written;
  }
  return true;
}

bool ky_copy_program(char *to, size_t size, int file) {
  struct stat from;
  if (fstat(file, &from) != 0 || !S_ISREG(from.st_mode) || from.st_size == 0) {
    return false;
  }
  const void *bytes = mmap(NULL, (size_t) from.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) {
    return false;
  }
  int copy = make(to, size, (uint64_t) from.st_size);
  bool done = copy >= 0 && end(copy, to, write_all(copy, bytes, (size_t) from.st_size));
  munmap((void *) (uintptr_t) bytes, (size_t) from.st_size);
  return done;
}

bool ky_own_program(char *to, size_t size) {
  struct stat now;
  if (path[0] == 0 || strlen(path) >= size) {
    return false;
  }
  if (stat(path, &now) == 0 && now.st_dev == file_of_program.st_dev && now.st_ino == file_of_program.st_ino) {
    strcpy(to, path);
    return true;
  }
  int copy = mapped == NULL ? -1 : make(to, size, (uint64_t) file_of_program.st_size);
  return copy >= 0 && end(copy, to, write_all(copy, mapped, (size_t) file_of_program.st_size));
}
