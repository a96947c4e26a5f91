/* Functions that are called very often, and count their own calls: flood MODE N [FILE]. Prints "function
 * calls" a line; `forever` has them in a file, and is to be killed. Built with -finstrument-functions; it knows
 * nothing of Kymo. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline))
#define QUIET __attribute__((no_instrument_function))

enum { HOT, PAIR, SLOW, RECURSIVE, AROUND, OUTER, LEAVES, TICK, TICKED, COUNT };

static const char *const names[] = {
    "hot", "pair", "slow", "recursive", "around", "outer", "leaves", "tick", "ticked"};
static long own_counts[COUNT];
static long *counts = own_counts;
static jmp_buf out;

static QUIET void called(int function) {
  __atomic_fetch_add(&counts[function], 1, __ATOMIC_RELAXED);
}

FUNCTION void hot(void) {
  called(HOT);
}

FUNCTION void pair(void) {
  called(PAIR);
  hot();
  hot();
}

FUNCTION void slow(void) {
  called(SLOW);
  usleep(2000);
}

FUNCTION void recursive(int depth) {
  called(RECURSIVE);
  if (depth > 0) {
    recursive(depth - 1);
    recursive(depth - 1);
  }
}

FUNCTION void leaves(int how) {
  called(LEAVES);
  if (how) {
    longjmp(out, 1);
  }
}

/* A handler's own: hooks of the thread that it interrupts are in the middle of theirs. */
FUNCTION void ticked(void) {
  called(TICKED);
  hot();
}

FUNCTION void tick(int signal) {
  (void) signal;
  called(TICK);
  ticked();
}

/* Goes on as an event if it was one before the flood below it. */
FUNCTION void outer(int n) {
  called(OUTER);
  for (int i = 0; i < n; i++) {
    pair();
  }
}

/* Is itself called often enough to be counted, once with a child in the middle of it. */
FUNCTION void around(int n, int forks) {
  called(AROUND);
  pid_t pid = forks ? fork() : -1;
  for (int i = 0; i < n; i++) {
    hot();
  }
  if (pid == 0) {
    outer(n);
    recursive(3);
    exit(0);
  } else if (pid > 0) {
    waitpid(pid, NULL, 0);
  }
}

static QUIET void *thread(void *argument) {
  for (int i = 0; i < 3; i++) {
    slow();
  }
  outer((int) (long) argument);
  for (int i = 0; i < 3; i++) {
    slow();
  }
  return NULL;
}

static QUIET void threads(int n) {
  pthread_t all[4];
  for (int round = 0; round < 2; round++) { /* the second threads get the rings of the first */
    for (int i = 0; i < 4; i++) {
      pthread_create(&all[i], NULL, thread, (void *) (long) n);
    }
    for (int i = 0; i < 4; i++) {
      pthread_join(all[i], NULL);
    }
  }
}

static QUIET void jumps(int n) {
  for (volatile int i = 0; i < n; i++) {
    if (setjmp(out) == 0) {
      leaves(i % 2);
    }
    hot();
  }
}

static QUIET void ticks(int n) {
  struct sigaction action;
  struct itimerval every = {{0, 100}, {0, 100}};
  struct itimerval never = {{0, 0}, {0, 0}};
  memset(&action, 0, sizeof action);
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  outer(n); /* the most are counted by then */
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &every, NULL);
  while (__atomic_load_n(&counts[TICK], __ATOMIC_RELAXED) < 500) {
    outer(1000);
  }
  setitimer(ITIMER_REAL, &never, NULL);
}

static QUIET void *forever(void *argument) {
  for (;;) {
    outer(1000);
  }
  return argument;
}

static QUIET void until_killed(void) {
  pthread_t other;
  pthread_create(&other, NULL, forever, NULL);
  forever(NULL);
}

/* Until a file is there. */
static QUIET void calms(int n, const char *file) {
  outer(n);
  recursive(19);
  while (access(file, F_OK) != 0) {
    hot();
    recursive(2);
    usleep(10000);
  }
}

static QUIET long *in(const char *file) {
  int fd = open(file, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, sizeof own_counts) != 0) {
    exit(2);
  }
  return mmap(NULL, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

QUIET int main(int argc, char **argv) {
  const char *mode = argv[1];
  int n = argc > 2 ? atoi(argv[2]) : 0;
  counts = strcmp(mode, "forever") == 0 ? in(argv[3]) : counts;
  if (strcmp(mode, "threads") == 0) {
    threads(n);
  } else if (strcmp(mode, "recursion") == 0) {
    recursive(n);
  } else if (strcmp(mode, "jumps") == 0) {
    jumps(n);
  } else if (strcmp(mode, "ticks") == 0) {
    ticks(n);
  } else if (strcmp(mode, "forks") == 0) {
    for (int i = 0; i < n; i++) {
      around(10, i == n - 1);
    }
  } else if (strcmp(mode, "calms") == 0) {
    calms(n, argv[3]);
  } else if (strcmp(mode, "forever") == 0) {
    until_killed();
  }
  for (int i = 0; i < COUNT; i++) {
    printf("%s %ld\n", names[i], counts[i]);
  }
  return 0;
}
