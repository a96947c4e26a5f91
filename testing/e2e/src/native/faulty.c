/*
 * A program whose faults are known.
 *
 *   faulty crash     calls work() a thousand times, then stores to address 8 in breaks(), which ends it
 *   faulty handled   the same; a handler goes back by longjmp, and the program goes on with after()
 *   faulty child     a child does what `crash` does, its parent goes on with after()
 *   faulty traps     divides by zero, which ends it
 *   faulty nowhere   calls a function at address 16
 *   faulty sent      sends SIGSEGV to itself, whose handler returns; then as `crash`
 *   faulty busy      runs spins() until a signal USR1 comes, which it says; then as `handled` without the fault
 */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static sigjmp_buf back;
static volatile sig_atomic_t enough;

APART static long work(long value) {
  __asm__ volatile("");
  return value * 3 + 1;
}

APART static void breaks(volatile int *place) {
  *place = 1;
}

APART static long divides(volatile int by) {
  return 100 / by;
}

APART static void spins(void) {
  for (volatile int i = 0; i < 100000; i++) {
  }
}

APART static void after(void) {
  __asm__ volatile("");
}

APART static void returns(int signal) {
  (void) signal;
}

APART static void jumps(int signal) {
  (void) signal;
  siglongjmp(back, 1);
}

APART static void stops(int signal) {
  (void) signal;
  enough = 1;
}

static void crash(void) {
  long value = 0;
  for (int i = 0; i < 1000; i++) {
    value = work(value);
  }
  breaks((volatile int *) 8);
}

static void go_on(void) {
  for (int i = 0; i < 1000; i++) {
    after();
  }
  puts("went on");
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  printf("breaks %p divides %p\n", (void *) breaks, (void *) divides);
  fflush(stdout);
  if (strcmp(what, "crash") == 0) {
    crash();
  } else if (strcmp(what, "handled") == 0) {
    signal(SIGSEGV, jumps);
    if (sigsetjmp(back, 1) == 0) {
      crash();
    }
    go_on();
  } else if (strcmp(what, "child") == 0) {
    if (fork() == 0) {
      crash();
    }
    int status = 0;
    wait(&status);
    printf("child %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    go_on();
  } else if (strcmp(what, "traps") == 0) {
    return (int) divides(0);
  } else if (strcmp(what, "nowhere") == 0) {
    ((void (*)(void)) (intptr_t) 16)();
  } else if (strcmp(what, "sent") == 0) {
    signal(SIGSEGV, returns);
    raise(SIGSEGV);
    signal(SIGSEGV, SIG_DFL);
    crash();
  } else if (strcmp(what, "busy") == 0) {
    signal(SIGUSR1, stops);
    puts("under way");
    fflush(stdout);
    while (!enough) {
      spins();
    }
    go_on();
  }
  return 3;
}
