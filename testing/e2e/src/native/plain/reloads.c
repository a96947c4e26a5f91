/* Threads load a library each, call its function, and unload it, again and again: reloads ROUNDS LIBRARY... The
 * libraries have the same size, so one is soon loaded where another one was. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static int rounds;

static void *reload(void *path) {
  intptr_t sum = 0;
  for (int i = 0; i < rounds; i++) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = library == NULL ? NULL : dlsym(library, "work");
    int (*work)(int) = NULL;
    memcpy(&work, &found, sizeof found);
    if (work == NULL) {
      return (void *) -1;
    }
    sum += work(3);
    dlclose(library);
  }
  return (void *) sum;
}

int main(int count, char **words) {
  pthread_t threads[MOST];
  intptr_t total = 0;
  if (count < 3 || count - 2 > MOST) {
    return 2;
  }
  rounds = atoi(words[1]);
  for (int i = 2; i < count; i++) {
    if (pthread_create(&threads[i - 2], NULL, reload, words[i]) != 0) {
      return 3;
    }
  }
  for (int i = 2; i < count; i++) {
    void *sum;
    pthread_join(threads[i - 2], &sum);
    total += (intptr_t) sum;
  }
  printf("%ld\n", (long) total);
  return 0;
}
