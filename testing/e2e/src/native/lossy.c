/* Threads that take one mutex so often that a small ring loses most of it, and wait for each other. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 300000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count;

static void *run(void *unused) {
  (void) unused;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, run, NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  printf("%ld\n", count);
  return 0;
}
