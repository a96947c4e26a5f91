/* The system, used so that the program does not notice: this library is a guest in it. */
#ifndef KYMO_GUEST_H
#define KYMO_GUEST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE = 4096 };

/* Within a guard no signal handler runs on this thread, the thread is not cancelled, and errno is kept. Locks are held
 * only within guards, so no handler ever waits for the thread that it interrupted. */
struct guard {
  bool masks;
  sigset_t mask;
  int error;
  int cancel;
};

/* Once the process restricts its system calls, this library makes none any more: a guard masks no signals, because
 * nothing is recorded. Children made by fork are restricted, too. */
extern bool ky_stands_aside;

/* Sets that, and waits until no other thread is within a guard. Not within one. */
void ky_stand_aside(void);

void ky_guard_begin(struct guard *guard);
void ky_guard_end(const struct guard *guard);

/* Remembers the guard within which a child is made by fork. */
void ky_guard_forks(const struct guard *guard);

/* Whether this may be a signal handler in a child made by fork: then signals are blocked that were not blocked when the
 * child was made. */
bool ky_may_be_handler(const struct guard *guard);

struct lock {
  uint32_t state;
};

/* All locks, in their order: a thread that has one takes only those after it, so no two threads ever wait for each
 * other. docs/design/locks.md says what each is for. */
enum rank {
  CONNECTIONS_LOCK,
  MEMBERSHIP_LOCK,
  EVENTS_LOCK,
  BUDGET_LOCK,
  COUNTERS_LOCK,
  FUNCTIONS_LOCK,
  MODULES_LOCK,
  STARTS_LOCK,
  REGISTRY_LOCK,
  CALLS_LOCK,
  DEFINITIONS_LOCK
};

void ky_lock(struct lock *lock, enum rank rank);
bool ky_try_lock(struct lock *lock, enum rank rank); /* in any order */
void ky_unlock(struct lock *lock, enum rank rank);

/* For tests: a thread that takes a lock against the order ends the program. */
void ky_check_locks(void);

/* In a child made by fork there is no other thread, and this one has no locks any more; it is within one guard. */
void ky_is_alone(void);

/* Addresses, of which each page gets memory, zeroed, when it is used; NULL if there is none. */
void *ky_reserved(size_t size);

/* Addresses that cannot be used yet; NULL if there are none. Only what can be used counts for the program's limit of
 * data (RLIMIT_DATA). */
void *ky_addresses(size_t size);

/* Makes the begin of such addresses usable; false if the program has no more memory for that. */
bool ky_use(void *from, size_t size);

/* Memory that is never freed, also for signal handlers; NULL if there is none. */
void *ky_allocate(size_t size);
char *ky_copy(const char *text, size_t length);

/* Maps a new file of zeroes, of which the first bytes can be used; a store to other pages could kill the program,
 * because tmpfs may have no memory for them. NULL with errno if it cannot be made. */
uint8_t *ky_shared_memory(const char *file, size_t size, size_t first);

/* Makes whole pages of such a file usable; false with errno if there is no memory for them. */
bool ky_take_pages(uint8_t *from, size_t size);

enum { NO_NUMBER = -1 };

/* Writes a directory, a name and, unless it is NO_NUMBER, a number after each other. Small, because a child made by
 * fork pays for each page of code that it executes. */
void ky_path(char *to, const char *directory, const char *name, int64_t number);

/* Reads the beginning of a file and adds a zero byte; returns its length, or -1. */
ptrdiff_t ky_read(const char *file, char *to, size_t size);

uint64_t ky_nanos(int clock);
void ky_pause(void);

/* What /proc/self/stat says. */
struct own_stat {
  char state;
  uint64_t threads;
  uintptr_t arguments; /* where the program's arguments lie, after each other */
  uintptr_t arguments_end;
  uintptr_t environment;
  uintptr_t environment_end;
  int exit_status; /* of the first thread, if it has ended without the process */
};

/* Reads it; false if that fails. */
bool ky_stat(struct own_stat *stat);

/* Prints a line on standard error. Rare: a recorded program's output is its own. */
void ky_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
