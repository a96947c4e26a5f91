/*
 * Makes a child in the way that its argument names, three calls deep: outer, middle and inner, which parent and child
 * return from. Before that it calls other functions, so that a child calls its functions in another order.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))

static const char *way;
static volatile pid_t made;

APART static int other(int n) {
  return n < 2 ? n : other(n - 1) + 1;
}

APART static int only_in_child(int n) {
  return n + other(2);
}

static void handler(int signal) {
  (void) signal;
  made = fork();
}

APART static int inner(void) {
  if (strcmp(way, "clone") == 0) {
    made = (pid_t) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  } else if (strcmp(way, "handler") == 0) {
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
  } else if (strcmp(way, "vfork") == 0) {
    made = vfork();
    if (made == 0) {
      _exit(only_in_child(7) & 1);
    }
  } else {
    made = fork();
    if (made == 0 && strcmp(way, "grandchild") == 0) {
      made = fork();
    }
  }
  int sum = made == 0 ? only_in_child(3) : 5;
  if (made != 0) {
    waitpid(made, NULL, 0);
  }
  return sum;
}

APART static int middle(void) {
  return inner() + other(3);
}

APART static int outer(void) {
  return middle() + other(4);
}

static void *in_thread(void *nothing) {
  outer();
  return nothing;
}

int main(int count, char **arguments) {
  way = count > 1 ? arguments[1] : "fork";
  other(10);
  if (strcmp(way, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
  } else {
    outer();
  }
  return 0;
}
