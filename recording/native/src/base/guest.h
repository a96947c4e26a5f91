/* This library is a guest: what it asks of the system must not be noticed by the program. */
#ifndef KYMO_GUEST_H
#define KYMO_GUEST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE = 4096 };

/* While it lasts no signal handler runs on this thread, it is not cancelled, and errno is kept. Locks
 * are held inside guards only: so no handler ever waits for the thread that it interrupted. */
struct guard {
  sigset_t mask;
  int error;
  int cancel;
};

void ky_guard_begin(struct guard *guard);
void ky_guard_end(const struct guard *guard);

struct lock {
  uint32_t state;
};

void ky_lock(struct lock *lock);
bool ky_try_lock(struct lock *lock);
void ky_unlock(struct lock *lock);

/* Zeroed memory that a child made by fork finds zeroed again; NULL if there is none. */
void *ky_private_memory(size_t size);

/* Memory that is never given back; also in a signal handler. NULL if there is none. */
void *ky_allocate(size_t size);
char *ky_copy(const char *text, size_t length);

/* A new file of zeroes in memory, of which the first bytes may be used: a page that tmpfs cannot give later
 * would kill the program. NULL with errno if it cannot be made. */
uint8_t *ky_shared_memory(const char *file, size_t size, size_t first);

/* Makes whole pages of it usable; false with errno if there is no memory for them. */
bool ky_take_pages(uint8_t *from, size_t size);

enum { NO_NUMBER = -1 };

/* Writes a directory, a name and a number, if there is one, one behind the other. Small, because a child made
 * by fork pays for each page of code that it comes to. */
void ky_path(char *to, const char *directory, const char *name, int64_t number);

/* The beginning of a file, with a zero byte behind it; its length, or -1. */
ptrdiff_t ky_read(const char *file, char *to, size_t size);

uint64_t ky_nanos(int clock);
void ky_pause(void);

/* What /proc/self/stat says. */
struct own_stat {
  char state;
  uint64_t threads;
  uintptr_t arguments; /* where the program's lie, one behind the other */
  uintptr_t arguments_end;
  uintptr_t environment;
  uintptr_t environment_end;
};

/* False if it cannot be read. */
bool ky_stat(struct own_stat *stat);

/* A line on standard error: what the recorder has to say inside a program, rarely anything. */
void ky_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
