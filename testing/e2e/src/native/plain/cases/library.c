/* A library of loading.c: with its own state, a constructor, a destructor, a function chosen when it is loaded, and
 * memory of threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int value(void);
int count(void);
int shared_name(void);
int asks_for_shared_name(void);
int makes_thread(void);
int makes_child(void);
int chosen(void);
int of_this_thread(void);
int of_another_thread(void);

static int counted;
static _Thread_local int own = 5;

static __attribute__((constructor)) void begin(void) {
  const char *ends = getenv("LIBRARY_ENDS");
  if (ends != NULL) {
    exit(atoi(ends));
  }
}

static __attribute__((destructor)) void end(void) {
  const char *says = getenv("LIBRARY_SAYS");
  if (says != NULL && write(1, says, strlen(says)) < 0) {
    _exit(1);
  }
}

int value(void) {
  return 42;
}

int count(void) {
  return ++counted;
}

int shared_name(void) {
  return 7;
}

int asks_for_shared_name(void) {
  return shared_name();
}

static void *work(void *unused) {
  own++;
  counted += 10;
  return unused;
}

int makes_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) != 0) {
    return -1;
  }
  pthread_join(thread, NULL);
  return counted;
}

int makes_child(void) {
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    _exit(count() + 20);
  }
  waitpid(child, &status, 0);
  return status >> 8;
}

static int first_way(void) {
  return 61;
}

typedef int way(void);

static __attribute__((no_instrument_function)) way *choose(void) {
  return first_way;
}

__attribute__((ifunc("choose"))) int chosen(void);

int of_this_thread(void) {
  return own++;
}

int of_another_thread(void) {
  own = 50;
  makes_thread();
  return own;
}
