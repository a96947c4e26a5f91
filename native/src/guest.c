#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ARENA = 64 * 1024 * 1024, ALIGNMENT = 16 };

void ky_guard_begin(struct guard *guard) {
  sigset_t all;
  guard->error = errno;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &guard->mask);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel);
}

void ky_guard_end(const struct guard *guard) {
  int unused;
  pthread_setcancelstate(guard->cancel, &unused);
  pthread_sigmask(SIG_SETMASK, &guard->mask, NULL);
  errno = guard->error;
}

void ky_lock(struct lock *lock) {
  while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0) {
    ky_pause();
  }
}

void ky_unlock(struct lock *lock) {
  __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

/* Addresses; a page is taken when it is used. */
static void *reserved(size_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *ky_private_memory(size_t size) {
  void *memory = reserved(size);
  if (memory != NULL && madvise(memory, size, MADV_WIPEONFORK) != 0) { /* Linux before 4.14 */
    munmap(memory, size);
    memory = NULL;
  }
  return memory;
}

void *ky_allocate(size_t size) {
  static char *arena; /* without a lock: a child made by fork might find it taken */
  static size_t used;
  char *begin = __atomic_load_n(&arena, __ATOMIC_ACQUIRE);
  if (begin == NULL) {
    char *fresh = reserved(ARENA);
    if (fresh == NULL) {
      return NULL;
    }
    if (__atomic_compare_exchange_n(
            &arena, &begin, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      begin = fresh;
    } else {
      munmap(fresh, ARENA);
    }
  }
  size_t rounded = (size + ALIGNMENT - 1) & ~(size_t) (ALIGNMENT - 1);
  size_t at = __atomic_load_n(&used, __ATOMIC_RELAXED);
  do {
    if (rounded > ARENA - at) {
      return NULL;
    }
  } while (!__atomic_compare_exchange_n(
      &used, &at, at + rounded, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return begin + at;
}

char *ky_copy(const char *text, size_t length) {
  char *copy = ky_allocate(length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}

uint8_t *ky_shared_memory(const char *file, size_t size) {
  int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    return NULL;
  }
  void *memory = MAP_FAILED;
  int error = posix_fallocate(fd, 0, (off_t) size);
  if (error == 0) {
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    error = errno;
  }
  close(fd);
  if (memory == MAP_FAILED) {
    unlink(file);
    errno = error;
    return NULL;
  }
  return memory;
}

ptrdiff_t ky_read(const char *file, char *to, size_t size) {
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return -1;
  }
  size_t length = 0;
  ssize_t part = 1;
  while (part > 0 && length < size - 1) {
    part = read(fd, to + length, size - 1 - length);
    length += part > 0 ? (size_t) part : 0;
  }
  close(fd);
  to[length] = 0;
  return part < 0 ? -1 : (ptrdiff_t) length;
}

uint64_t ky_nanos(int clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t) now.tv_sec * UINT64_C(1000000000) + (uint64_t) now.tv_nsec;
}

void ky_pause(void) {
  struct timespec moment = {0, 50 * 1000};
  nanosleep(&moment, NULL);
}

bool ky_stat(char *state, long *threads, uint64_t *start_time) {
  char text[1024];
  char *name_end = NULL;
  if (ky_read("/proc/self/stat", text, sizeof text) > 0) {
    name_end = strrchr(text, ')'); /* the name may contain anything */
  }
  if (name_end == NULL || name_end[1] == 0) {
    return false;
  }
  *state = name_end[2];
  char *field = name_end + 3; /* behind field 3 */
  unsigned long long value = 0;
  for (int i = 4; i <= 22; i++) {
    value = strtoull(field, &field, 10);
    if (i == 20) {
      *threads = (long) value;
    }
  }
  *start_time = value;
  return true;
}

void ky_say(const char *format, ...) {
  char text[2048] = "kymo: ";
  const size_t begin = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text + begin, sizeof text - begin - 1, format, arguments);
  va_end(arguments);
  size_t end = begin + (length < 0 ? 0 : (size_t) length);
  end = end > sizeof text - 2 ? sizeof text - 2 : end;
  text[end] = '\n';
  if (write(STDERR_FILENO, text, end + 1) < 0) {
    return; /* nobody listens */
  }
}
