#include "real.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOSE_RANGE = 436 }; /* on all processors, since Linux 5.9 */

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

/* Without the memory of the stream, which nobody frees then. */
static int early_fclose(FILE *stream) {
  int failed = fflush(stream);
  return early_close(fileno(stream)) | failed;
}

/* In C libraries before glibc 2.34, where a program finds only the wrappers. */
static int own_close_range(unsigned first, unsigned last, int flags) {
  return (int) syscall(CLOSE_RANGE, first, last, flags);
}

static void own_closefrom(int first) {
  int begin = first < 0 ? 0 : first;
  if (own_close_range((unsigned) begin, UINT_MAX, 0) != 0) {
    for (int i = begin; i < getdtablesize(); i++) {
      early_close(i);
    }
  }
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
  ky_sockets.fclose = early_fclose;
  struct real_sockets all;
#define FIND(name, result, parameters) \
  do { \
    void *found = dlsym(RTLD_NEXT, #name); \
    memcpy(&all.name, &found, sizeof found); \
  } while (0);
  SOCKET_FUNCTIONS(FIND)
#undef FIND
  all.close_range = all.close_range == NULL ? own_close_range : all.close_range;
  all.closefrom = all.closefrom == NULL ? own_closefrom : all.closefrom;
  ky_sockets = all;
  searching = false;
}
