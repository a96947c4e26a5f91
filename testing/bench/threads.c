/* What a recorded operation of the thread library costs beside the bare one: rounds that take turns, medians.
 * The bare functions are asked of the library itself, past those that stand before it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum { ROUNDS = 101, PAIRS = 50000, KINDS = 7 };

static const char *const names[KINDS] = {"clock (rdtsc)", "mutex lock+unlock, bare", "mutex lock+unlock",
    "rwlock rdlock+unlock, bare", "rwlock rdlock+unlock", "sem post+wait, bare", "sem post+wait"};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static void *library;

typedef int operation(void *);

static operation *bare(const char *name) {
  operation *found;
  void *address = dlsym(library, name);
  memcpy(&found, &address, sizeof found);
  return found;
}

static operation *of_program(const char *name) {
  operation *found;
  void *address = dlsym(RTLD_DEFAULT, name);
  memcpy(&found, &address, sizeof found);
  return found;
}

static double nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

static double round_of(int kind) {
  static const char *const begin[] = {"pthread_mutex_lock", "pthread_rwlock_rdlock", "sem_post"};
  static const char *const end[] = {"pthread_mutex_unlock", "pthread_rwlock_unlock", "sem_wait"};
  void *const objects[] = {&mutex, &rwlock, &semaphore};
  volatile unsigned long long sink = 0;
  int which = (kind - 1) / 2;
  operation *one = kind % 2 == 1 ? bare(begin[which]) : kind > 0 ? of_program(begin[which]) : NULL;
  operation *two = kind % 2 == 1 ? bare(end[which]) : kind > 0 ? of_program(end[which]) : NULL;
  double before = nanos();
  for (int i = 0; i < PAIRS; i++) {
    if (kind == 0) {
      sink = __rdtsc();
    } else {
      one(objects[which]);
      two(objects[which]);
    }
  }
  (void) sink;
  return (nanos() - before) / PAIRS;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *) a;
  double y = *(const double *) b;
  return (x > y) - (x < y);
}

/* A program of one thread has cheaper locks. */
static void *idle(void *unused) {
  pause();
  return unused;
}

int main(void) {
  static double all[KINDS][ROUNDS];
  pthread_t thread;
  pthread_create(&thread, NULL, idle, NULL);
  sem_init(&semaphore, 0, 0);
  library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (library == NULL || bare("pthread_mutex_lock") == NULL) {
    fprintf(stderr, "no glibc 2.34 or later\n");
    return 1;
  }
  for (int round = 0; round < ROUNDS; round++) {
    for (int kind = 0; kind < KINDS; kind++) {
      all[kind][round] = round_of(kind);
    }
  }
  for (int kind = 0; kind < KINDS; kind++) {
    qsort(all[kind], ROUNDS, sizeof(double), compare);
  }
  for (int kind = 0; kind < KINDS; kind++) {
    double median = all[kind][ROUNDS / 2];
    printf("%-28s %7.2f ns", names[kind], median);
    if (kind > 0 && kind % 2 == 0) {
      printf("  %+.2f ns", median - all[kind - 1][ROUNDS / 2]);
    }
    printf("\n");
  }
  return 0;
}
