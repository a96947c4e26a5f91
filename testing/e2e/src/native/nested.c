/*
 * A program whose instructions are recorded: it calls functions a known number of times and says how often.
 *
 *   nested calls N    fib(N), and qsort with a comparator
 *   nested faults N   N times a fault whose handler goes back by longjmp, and N whose handler steps over it
 *   nested spin       runs until it is killed, and says so when it is under way
 *   nested threads N  N threads, each with 100 calls, one after the other
 *   nested deep N     N calls in each other, and in the last of them a loop of many blocks
 *   nested forked N   the same in a child
 *   nested parts N    N parts of 10 calls each between markers, and more calls between the parts
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "kymo.h"

#define APART __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))

static long made, compared;

APART static long fib(int n) {
  made++;
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

APART static int compare(const void *one, const void *other) {
  compared++;
  int a = *(const int *) one;
  int b = *(const int *) other;
  return (a > b) - (a < b);
}

static void calls(int n) {
  long result = fib(n);
  int numbers[500];
  unsigned seed = 12345;
  for (int i = 0; i < 500; i++) {
    seed = seed * 1103515245 + 12345;
    numbers[i] = (int) (seed >> 8);
  }
  qsort(numbers, 500, sizeof numbers[0], compare);
  printf("%ld fib %ld compare %ld\n", result, made, compared);
}

static sigjmp_buf back;

APART static void jumps_back(int signal) {
  (void) signal;
  siglongjmp(back, 1);
}

APART static void steps_over(int signal, siginfo_t *info, void *context) {
  (void) signal, (void) info;
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP] += 2; /* ud2 */
}

APART static void faults_once(volatile int *nowhere) {
  if (sigsetjmp(back, 1) == 0) {
    *nowhere = 1;
  }
}

static void faults(int n) {
  struct sigaction action = {.sa_handler = jumps_back};
  sigaction(SIGSEGV, &action, NULL);
  for (int i = 0; i < n; i++) {
    faults_once(NULL);
  }
  struct sigaction stepping = {.sa_sigaction = steps_over, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &stepping, NULL);
  for (int i = 0; i < n; i++) {
    __asm__ volatile("nop; nop; ud2; nop");
  }
  puts("went on");
}

APART static long worked(long value) {
  return value * 3 + 1;
}

static void *work(void *argument) {
  long value = (long) argument;
  for (int i = 0; i < 100; i++) {
    value = worked(value);
  }
  return (void *) value;
}

static void threads(int n) {
  for (int i = 0; i < n; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  }
}

APART static int descend(int n) {
  if (n > 0) {
    return descend(n - 1) + 1;
  }
  volatile int turns = 0;
  while (turns < 10 * 1000 * 1000) {
    turns++;
  }
  return 0;
}

/* A part of whoever calls it: what is between the parts is not recorded, and the caller is all that is known. */
__attribute__((always_inline)) static inline void parts(int n) {
  long value = 0;
  for (int i = 0; i < n; i++) {
    value = worked(value);
    kymo_instructions(KYMO_BEGIN);
    for (int j = 0; j < 10; j++) {
      value = worked(value);
    }
    kymo_instructions(KYMO_END);
  }
  printf("%ld\n", value);
}

APART static void forked(int n) {
  pid_t child = fork();
  if (child == 0) {
    parts(n);
  } else {
    waitpid(child, NULL, 0);
  }
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  int n = count > 2 ? atoi(arguments[2]) : 0;
  if (strcmp(what, "calls") == 0) {
    calls(n);
  } else if (strcmp(what, "faults") == 0) {
    faults(n);
  } else if (strcmp(what, "threads") == 0) {
    threads(n);
  } else if (strcmp(what, "deep") == 0) {
    printf("%d\n", descend(n));
  } else if (strcmp(what, "parts") == 0) {
    parts(n);
  } else if (strcmp(what, "forked") == 0) {
    forked(n);
  } else if (strcmp(what, "spin") == 0) {
    for (volatile long i = 0;; i++) {
      if (worked(i) == 3 * 1000 + 1) {
        puts("under way");
        fflush(stdout);
      }
    }
  }
  return n == 0 ? 3 : 0;
}
