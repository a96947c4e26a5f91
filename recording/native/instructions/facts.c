#include "facts.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define WINDOW (1024 * 1024)
#define PAGE 4096

struct shared *ky_shared;
uint32_t ky_process;

char ky_directory[4096];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A part of the file is mapped: facts survive the process, and cost no system call each. */
static struct facts_head *head;
static uint8_t *window;
static uint64_t window_begin;

bool ky_open_recording(const char *path) {
  if (strlen(path) + 64 > sizeof ky_directory) {
    return false;
  }
  strcpy(ky_directory, path);
  char name[sizeof ky_directory + 64];
  snprintf(name, sizeof name, "%s/shared", ky_directory);
  int file = open(name, O_RDWR | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  struct shared *found = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (found == MAP_FAILED || found->magic != SHARED_MAGIC) {
    return false;
  }
  ky_shared = found;
  return true;
}

bool ky_is_over(void) {
  return atomic_load_explicit(&ky_shared->ended, memory_order_relaxed) != 0;
}

void ky_file_name(char *to, size_t size, uint32_t process, const char *format, ...) {
  int length = snprintf(to, size, "%s/p%u-", ky_directory, process);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to + length, size - (size_t) length, format, arguments);
  va_end(arguments);
}

bool ky_may_have(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= size;
}

bool ky_may_have_facts(void) {
  return ky_may_have(WINDOW);
}

bool ky_has_facts(void) {
  return head != NULL;
}

/* Maps the file from a position on; what was mapped before is given back. */
static bool move_window(uint64_t position) {
  char name[sizeof ky_directory + 64];
  ky_file_name(name, sizeof name, ky_process, "facts");
  uint64_t begin = position & ~(uint64_t) (PAGE - 1);
  int file = ky_may_have(begin + WINDOW) ? open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file < 0) {
    return false;
  }
  bool room = posix_fallocate(file, (off_t) begin, WINDOW) == 0;
  void *mapped = room ? mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t) begin) : MAP_FAILED;
  if (head == NULL && mapped != MAP_FAILED) {
    void *first = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    head = first == MAP_FAILED ? NULL : first;
  }
  close(file);
  if (mapped == MAP_FAILED || head == NULL) {
    return false;
  }
  if (window != NULL) {
    munmap(window, WINDOW);
  }
  window = mapped;
  window_begin = begin;
  return true;
}

static uint8_t *put(uint8_t *to, const void *bytes, size_t size) {
  if (size > 0) {
    memcpy(to, bytes, size);
  }
  return to + size;
}

void ky_fact(enum fact kind, const void *first, size_t first_size, const void *second, size_t second_size,
    const void *third, size_t third_size) {
  uint32_t size = (uint32_t) (first_size + second_size + third_size);
  pthread_mutex_lock(&lock);
  if (head == NULL || size > WINDOW / 2 || ky_is_over()) {
    pthread_mutex_unlock(&lock);
    return;
  }
  uint64_t position = head->position;
  if (position + 8 + size > window_begin + WINDOW && !move_window(position)) {
    atomic_fetch_add(&ky_shared->lost, 1);
    pthread_mutex_unlock(&lock);
    return;
  }
  uint32_t word = kind;
  uint8_t *to = window + (position - window_begin);
  to = put(to, &word, sizeof word);
  to = put(to, &size, sizeof size);
  to = put(to, first, first_size);
  to = put(to, second, second_size);
  put(to, third, third_size);
  atomic_store_explicit(&head->position, position + 8 + size, memory_order_release);
  atomic_fetch_add_explicit(&ky_shared->written, 8 + size, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
}

uint32_t ky_new_process(void) {
  return atomic_fetch_add(&ky_shared->processes, 1) + 1;
}

bool ky_begin_facts(void) {
  pthread_mutex_init(&lock, NULL); /* after fork another thread may have had it */
  head = NULL;
  window = NULL;
  if (ky_is_over()) {
    return false;
  }
  ky_process = ky_new_process();
  if (!move_window(0)) {
    return false;
  }
  head->magic = FACTS_MAGIC;
  head->process = ky_process;
  head->position = sizeof *head;
  return true;
}

void ky_process_fact(uint32_t pid, uint32_t parent_pid, uint32_t parent, enum begin how, uint32_t blocks,
    const char *command, size_t length) {
  struct {
    uint64_t clock;
    uint32_t pid, parent_pid, parent, how, blocks;
  } fact = {ky_clock(), pid, parent_pid, parent, how, blocks};
  ky_fact(FACT_PROCESS, &fact, 28, command, length, NULL, 0);
}

void ky_notice(const char *text) {
  uint64_t clock = ky_clock();
  ky_fact(FACT_NOTICE, &clock, sizeof clock, text, strlen(text), NULL, 0);
}

uint64_t ky_clock(void) {
  return atomic_load_explicit(&ky_shared->clock, memory_order_acquire);
}

void ky_tell_clock(uint64_t clock) {
  uint64_t known = ky_clock();
  while (clock > known
      && !atomic_compare_exchange_weak_explicit(
        &ky_shared->clock, &known, clock, memory_order_acq_rel, memory_order_acquire)) {
  }
}
