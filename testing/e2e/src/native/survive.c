/* Makes it hard for its recorder, and counts the calls of counted() that it makes meanwhile. The first argument
 * says how. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))

static long count;

__attribute__((noinline)) void counted(void) {
  __asm__ volatile("");
}

QUIET static void call(long times) {
  for (long i = 0; i < times; i++) {
    counted();
  }
  __atomic_fetch_add(&count, times, __ATOMIC_RELAXED);
}

QUIET static void *work(void *times) {
  call((long) (intptr_t) times);
  return NULL;
}

QUIET static void in_threads(int threads, long times) {
  pthread_t all[threads];
  for (int i = 0; i < threads; i++) {
    pthread_create(&all[i], NULL, work, (void *) (intptr_t) times);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(all[i], NULL);
  }
}

/* The recorder stands still for longer than it may be silent. */
QUIET static void stall(void) {
  struct timespec long_enough = {12, 0};
  call(10);
  kill(getppid(), SIGSTOP);
  nanosleep(&long_enough, NULL);
  call(10);
  kill(getppid(), SIGCONT);
  call(10);
}

/* What a wild pointer of the program may do to a page that the library shares with the recorder. */
QUIET static void scribble(const char *file, size_t from, size_t to) {
  char path[4096];
  snprintf(path, sizeof path, "%s/p1/%s", getenv("KYMO_SESSION"), file);
  int fd = open(path, O_RDWR | O_CLOEXEC);
  uint8_t *page = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page == MAP_FAILED) {
    perror(path);
    exit(9);
  }
  memset(page + from, 0x5A, to - from);
  munmap(page, 4096);
  close(fd);
}

QUIET static void be_wild(void) {
  call(10);
  for (int i = 0; i < 20; i++) {
    scribble("ring-1", 128, 136); /* packets that the recorder has taken */
    scribble("ring-0", 128, 136);
    scribble("mailbox", 8, 4096);
    call(100000);
    in_threads(3, 1000);
  }
}

QUIET static void fork_often(int times) {
  for (int i = 0; i < times; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      call(1);
      _exit(0);
    }
    waitpid(pid, NULL, 0);
  }
}

int main(int arguments, char **words) {
  const char *how = arguments > 1 ? words[1] : "";
  if (strcmp(how, "stall") == 0) {
    stall();
  } else if (strcmp(how, "wild") == 0) {
    be_wild();
  } else if (strcmp(how, "threads") == 0) {
    in_threads(atoi(words[2]), atol(words[3]));
  } else if (strcmp(how, "forks") == 0) {
    fork_often(atoi(words[2]));
  }
  printf("count=%ld\n", count);
  return 3;
}
