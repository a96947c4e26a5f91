#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PAUSES = 2000 }; /* for other threads to leave their guards */
enum { BLOCK = 256 * 1024, MOST = 64 * 1024 * 1024, ALIGNMENT = 16 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* ThreadSanitizer, if the program is built with it, sees what this library does by functions of the C library, but not
 * its locks. So within guards it is to look away. */
void AnnotateIgnoreReadsBegin(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreReadsEnd(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreWritesBegin(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreWritesEnd(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreSyncBegin(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreSyncEnd(const char *file, int line) __attribute__((weak));

static void look_away(void) {
  if (AnnotateIgnoreSyncBegin != NULL) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  }
}

static void look_again(void) {
  if (AnnotateIgnoreSyncEnd != NULL) {
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
}

bool ky_stands_aside;

static uint32_t guards; /* within which system calls may be made now */

void ky_guard_begin(struct guard *guard) {
  sigset_t all;
  guard->error = errno;
  __atomic_add_fetch(&guards, 1, __ATOMIC_SEQ_CST); /* before it is asked: see ky_stand_aside() */
  guard->masks = !__atomic_load_n(&ky_stands_aside, __ATOMIC_SEQ_CST);
  if (guard->masks) {
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &guard->mask);
  } else {
    __atomic_sub_fetch(&guards, 1, __ATOMIC_SEQ_CST);
  }
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel);
  look_away();
}

void ky_guard_end(const struct guard *guard) {
  int unused;
  look_again();
  pthread_setcancelstate(guard->cancel, &unused);
  if (guard->masks) {
    pthread_sigmask(SIG_SETMASK, &guard->mask, NULL);
    __atomic_sub_fetch(&guards, 1, __ATOMIC_SEQ_CST);
  }
  errno = guard->error;
}

void ky_stand_aside(void) {
  __atomic_store_n(&ky_stands_aside, true, __ATOMIC_SEQ_CST);
  for (int i = 0; i < MOST_PAUSES && __atomic_load_n(&guards, __ATOMIC_SEQ_CST) > 0; i++) {
    ky_pause();
  }
}

static sigset_t mask_at_fork; /* signals that were blocked when the last child was made */

void ky_guard_forks(const struct guard *guard) {
  mask_at_fork = guard->mask;
}

bool ky_may_be_handler(const struct guard *guard) {
  for (int i = 1; i < SIGRTMAX; i++) {
    if (sigismember(&guard->mask, i) == 1 && sigismember(&mask_at_fork, i) != 1) {
      return true;
    }
  }
  return false;
}

enum { FREE = 0, HELD = 1, WAITED_FOR = 2 };

static bool checks;
static _Thread_local uint32_t held __attribute__((tls_model("initial-exec"))); /* a bit for each rank */

void ky_check_locks(void) {
  checks = true;
}

void ky_is_alone(void) {
  held = 0;
  guards = ky_stands_aside ? 0 : 1;
}

static void look_at_order(enum rank rank) {
  if (checks && held >> rank != 0) {
    ky_say("a lock is taken against the order: rank=%d held=0x%x", (int) rank, held);
    abort();
  }
}

bool ky_try_lock(struct lock *lock, enum rank rank) {
  uint32_t state = FREE;
  bool taken = __atomic_compare_exchange_n(
      &lock->state, &state, HELD, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  held |= (uint32_t) taken << rank;
  return taken;
}

void ky_lock(struct lock *lock, enum rank rank) {
  look_at_order(rank);
  if (ky_try_lock(lock, rank)) {
    return;
  }
  while (__atomic_exchange_n(&lock->state, WAITED_FOR, __ATOMIC_ACQUIRE) != FREE) {
    syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, WAITED_FOR, NULL, NULL, 0);
  }
  held |= UINT32_C(1) << rank;
}

void ky_unlock(struct lock *lock, enum rank rank) {
  held &= ~(UINT32_C(1) << rank);
  if (__atomic_exchange_n(&lock->state, FREE, __ATOMIC_RELEASE) == WAITED_FOR) {
    syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
}

static void *map_private(size_t size, int access) {
  void *memory = mmap(NULL, size, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *ky_reserved(size_t size) {
  return map_private(size, PROT_READ | PROT_WRITE);
}

void *ky_addresses(size_t size) {
  return map_private(size, PROT_NONE);
}

bool ky_use(void *from, size_t size) {
  return mprotect(from, size, PROT_READ | PROT_WRITE) == 0;
}

/* Memory that is never given back, taken a block at a time: a program may limit its own. */
struct block {
  size_t size;
  size_t used; /* with this header */
};

static struct block *make_block(size_t needed) {
  static size_t all;
  size_t size = needed + sizeof(struct block) > BLOCK ? needed + sizeof(struct block) : BLOCK;
  bool fits = __atomic_add_fetch(&all, size, __ATOMIC_RELAXED) <= MOST;
  struct block *block = fits ? ky_reserved(size) : NULL;
  if (block == NULL) {
    __atomic_sub_fetch(&all, size, __ATOMIC_RELAXED);
  } else {
    block->size = size;
    block->used = (sizeof *block + ALIGNMENT - 1) & ~(size_t) (ALIGNMENT - 1);
  }
  return block;
}

static void *take(struct block *block, size_t size) {
  size_t at = __atomic_load_n(&block->used, __ATOMIC_RELAXED);
  do {
    if (size > block->size - at) {
      return NULL;
    }
  } while (!__atomic_compare_exchange_n(
      &block->used, &at, at + size, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return (char *) block + at;
}

void *ky_allocate(size_t size) {
  static struct block *newest; /* without a lock: a child made by fork might find it held */
  size_t rounded = (size + ALIGNMENT - 1) & ~(size_t) (ALIGNMENT - 1);
  if (rounded < size || rounded > MOST) {
    return NULL;
  }
  for (;;) {
    struct block *block = __atomic_load_n(&newest, __ATOMIC_ACQUIRE);
    void *taken = block == NULL ? NULL : take(block, rounded);
    if (taken != NULL) {
      return taken;
    }
    struct block *fresh = make_block(rounded);
    if (fresh == NULL) {
      return NULL;
    }
    if (!__atomic_compare_exchange_n(
            &newest, &block, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      munmap(fresh, fresh->size); /* whoever was first is counted, and this once too often */
    }
  }
}

char *ky_copy(const char *text, size_t length) {
  char *copy = ky_allocate(length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}

/* Whether a page is made usable when that is asked for, and only if it may be written: emulators accept all advice. */
static bool obeys_advice(void *page) {
  return mprotect(page, PAGE, PROT_READ) == 0 && madvise(page, PAGE, MADV_POPULATE_WRITE) != 0
      && mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0 && madvise(page, PAGE, MADV_POPULATE_WRITE) == 0;
}

/* Whether the kernel can make single pages of a mapping usable: since Linux 5.14. */
static bool takes_pages_later(void) {
  enum { UNKNOWN, YES, NO };
  static uint32_t known;
  uint32_t answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == UNKNOWN) {
    bool usual = sysconf(_SC_PAGESIZE) == PAGE; /* sizes here are multiples of it */
    void *page = usual ? ky_reserved(PAGE) : NULL;
    answer = page != NULL && obeys_advice(page) ? YES : NO;
    if (page != NULL) {
      munmap(page, PAGE);
    }
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == YES;
}

bool ky_take_pages(uint8_t *from, size_t size) {
  if (takes_pages_later() && madvise(from, size, MADV_POPULATE_WRITE) != 0) {
    errno = errno == EFAULT ? ENOSPC : errno; /* EFAULT: a store there would end in SIGBUS */
    return false;
  }
  return true;
}

/* Gives a file its size, and memory for all its pages unless they can be taken later; returns 0 or an error. */
static int lay_out(int fd, size_t size) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size) {
    return EFBIG; /* an attempt would send the program a signal */
  }
  if (!takes_pages_later()) {
    return posix_fallocate(fd, 0, (off_t) size);
  }
  return ftruncate(fd, (off_t) size) == 0 ? 0 : errno;
}

uint8_t *ky_shared_memory(const char *file, size_t size, size_t first) {
  int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    return NULL;
  }
  void *memory = MAP_FAILED;
  int error = lay_out(fd, size);
  if (error == 0) {
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    error = errno;
  }
  close(fd);
  if (memory != MAP_FAILED && !ky_take_pages(memory, first)) {
    error = errno;
    munmap(memory, size);
    memory = MAP_FAILED;
  }
  if (memory == MAP_FAILED) {
    unlink(file);
    errno = error;
    return NULL;
  }
  return memory;
}

void ky_path(char *to, const char *directory, const char *name, int64_t number) {
  char digits[20];
  size_t first = sizeof digits;
  for (int64_t rest = number; rest > 0 || (number == 0 && first == sizeof digits); rest /= 10) {
    digits[--first] = (char) ('0' + rest % 10);
  }
  to = stpcpy(stpcpy(to, directory), name);
  memcpy(to, digits + first, sizeof digits - first);
  to[sizeof digits - first] = 0;
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

bool ky_stat(struct own_stat *stat) {
  enum { THREADS = 20, ARGUMENTS = 48, STATUS = ARGUMENTS + 4 };
  char text[1024];
  char *name_end = NULL;
  if (ky_read("/proc/self/stat", text, sizeof text) > 0) {
    name_end = strrchr(text, ')'); /* the name may contain anything */
  }
  if (name_end == NULL || name_end[1] == 0) {
    return false;
  }
  uintptr_t *const places[] = {
      &stat->arguments, &stat->arguments_end, &stat->environment, &stat->environment_end};
  stat->state = name_end[2];
  char *field = name_end + 3; /* after field 3 */
  for (int i = 4; i <= STATUS; i++) {
    unsigned long long value = strtoull(field, &field, 10);
    if (i == THREADS) {
      stat->threads = value;
    } else if (i == STATUS) {
      stat->exit_status = (int) value;
    } else if (i >= ARGUMENTS) {
      *places[i - ARGUMENTS] = (uintptr_t) value;
    }
  }
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
    return; /* standard error is closed */
  }
}
