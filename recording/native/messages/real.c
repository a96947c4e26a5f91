#include "real.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct real_sockets ky_sockets;

/* Used while the real functions are looked up, which may call the program's allocator, which may read files. */
static ssize_t early_read(int descriptor, void *to, size_t size) {
  return syscall(SYS_read, descriptor, to, size);
}

static ssize_t early_write(int descriptor, const void *from, size_t size) {
  return syscall(SYS_write, descriptor, from, size);
}

static int early_close(int descriptor) {
  return (int) syscall(SYS_close, descriptor);
}

void ky_sockets_find(void) {
  static _Thread_local bool searching;
  if (searching) {
    return; /* the early functions are set */
  }
  searching = true;
  ky_sockets.read = early_read;
  ky_sockets.write = early_write;
  ky_sockets.close = early_close;
  struct real_sockets all;
#define FIND(name, result, parameters) \
  do { \
    void *found = dlsym(RTLD_NEXT, #name); \
    memcpy(&all.name, &found, sizeof found); \
  } while (0);
  SOCKET_FUNCTIONS(FIND)
#undef FIND
  ky_sockets = all;
  searching = false;
}
