/* Limits what it may use, then makes threads that call functions: limited as MB, limited data MB, limited nofile N.
 * Prints a sum that every call has its part in. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { THREADS = 8 };

static int below(int n) {
  return n == 0 ? 0 : 1 + below(n - 1);
}

static void *work(void *count) {
  int *sum = count;
  for (int i = 0; i < 100; i++) {
    *sum += below(4);
  }
  return count;
}

int main(int count, char **words) {
  if (count != 3) {
    return 2;
  }
  rlim_t most = (rlim_t) atol(words[2]);
  struct rlimit bytes = {most << 20, most << 20};
  struct rlimit files = {most, most};
  int failed = strcmp(words[1], "as") == 0 ? setrlimit(RLIMIT_AS, &bytes)
      : strcmp(words[1], "data") == 0      ? setrlimit(RLIMIT_DATA, &bytes)
                                           : setrlimit(RLIMIT_NOFILE, &files);
  pthread_t threads[THREADS];
  int sums[THREADS] = {0};
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  for (int i = 0; i < THREADS && !failed; i++) {
    failed = pthread_create(threads + i, &small, work, sums + i);
  }
  int sum = 0;
  for (int i = 0; i < THREADS && !failed; i++) {
    pthread_join(threads[i], NULL);
    sum += sums[i];
  }
  printf("%d %d\n", failed, sum);
  return failed == 0 ? 0 : 3;
}
