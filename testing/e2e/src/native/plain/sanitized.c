/* Threads that wait for each other, for a sanitizer to look at: without a fault. Prints a sum. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static int ready;
static long *sum;

static void add(int n) {
  pthread_mutex_lock(&lock);
  *sum += n;
  pthread_mutex_unlock(&lock);
}

static void await(void) {
  pthread_mutex_lock(&lock);
  while (!ready) {
    pthread_cond_wait(&begun, &lock);
  }
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  await();
  for (int i = 0; i < ROUNDS; i++) {
    add(i);
  }
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  sum = calloc(1, sizeof *sum);
  for (int i = 0; i < THREADS; i++) {
    if (pthread_create(threads + i, NULL, work, NULL) != 0) {
      return 2;
    }
  }
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_broadcast(&begun);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  printf("%ld\n", *sum);
  free(sum);
  return 0;
}
