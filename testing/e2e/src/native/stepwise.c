/* Works in threads, calls halfway, waits for a file, and works again: stepwise FILE [TEXT [ROUNDS]]. It says
 * the text on standard output when it waits. Built with -finstrument-functions. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline))

static __thread volatile int sum;
static int rounds = 300;

FUNCTION void odd(int n);

FUNCTION void even(int n) {
  sum += n;
  if (n > 0) {
    odd(n - 1);
  }
}

FUNCTION void odd(int n) {
  sum -= n;
  if (n > 0) {
    even(n - 1);
  }
}

FUNCTION void *thread(void *unused) {
  for (int i = 0; i < rounds; i++) {
    even(i % 9);
  }
  return unused;
}

FUNCTION void work(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    if (pthread_create(&threads[i], NULL, thread, NULL) != 0) {
      abort();
    }
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
  }
}

FUNCTION void halfway(void) {
  sum++;
}

FUNCTION void done(void) {
  sum++;
}

int main(int count, char **arguments) {
  if (count > 3) {
    rounds = atoi(arguments[3]);
  }
  work();
  halfway();
  if (count > 2) {
    puts(arguments[2]);
    fflush(stdout);
  }
  while (access(arguments[1], F_OK) != 0) {
    usleep(5000);
  }
  work();
  done();
  return 0;
}
