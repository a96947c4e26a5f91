#include "memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../facts.h"

/* QEMU and its libraries are mapped above this, the program below. */
#define PROGRAM_END UINT64_C(0x500000000000)

#define PAGE 4096

size_t ky_peek(void *to, uint64_t address, size_t size) {
  struct iovec local = {to, size};
  struct iovec remote = {(void *) (uintptr_t) address, size};
  ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return got < 0 ? 0 : (size_t) got;
}

bool ky_peek_text(char *to, size_t size, uint64_t address) {
  size_t done = 0;
  while (done < size) {
    size_t page = PAGE - (address + done) % PAGE; /* the next page need not be there */
    size_t part = page < size - done ? page : size - done;
    if (ky_peek(to + done, address + done, part) != part) {
      return false;
    }
    if (memchr(to + done, 0, part) != NULL) {
      return true;
    }
    done += part;
  }
  return false;
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

/* A mapped file of a program. */
struct mapped {
  unsigned long begin, end, offset;
  const char *path;
};

/* Reads lines up to the next one that is of a program's file. */
static bool next_mapped(FILE *maps, char *line, int size, struct mapped *mapped) {
  while (fgets(line, size, maps) != NULL) {
    char rights[5];
    int at = 0;
    if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %n", &mapped->begin, &mapped->end, rights, &mapped->offset, &at) == 4
        && at > 0 && line[at] == '/' && mapped->begin < PROGRAM_END) {
      line[strcspn(line, "\n")] = 0;
      mapped->path = line + at;
      return true;
    }
  }
  return false;
}

uint64_t ky_mapped_modules(void) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL) {
    return 0;
  }
  uint64_t program = 0;
  char line[5000];
  struct mapped mapped;
  while (next_mapped(maps, line, sizeof line, &mapped)) {
    program = program == 0 ? mapped.begin : program;
    module_fact(mapped.begin, mapped.end - mapped.begin, mapped.offset, mapped.path);
  }
  fclose(maps);
  return program;
}

bool ky_first_module(char *to, size_t size, int process) {
  char line[5000];
  snprintf(line, sizeof line, "/proc/%d/maps", process);
  FILE *maps = fopen(line, "re");
  if (maps == NULL) {
    return false;
  }
  struct mapped mapped;
  bool found = next_mapped(maps, line, sizeof line, &mapped) && strlen(mapped.path) < size;
  if (found) {
    strcpy(to, mapped.path);
  }
  fclose(maps);
  return found;
}
