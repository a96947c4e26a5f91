/* Threads in a ring that pass a token on through pipes: ring THREADS ROUNDS. Thread ring-1 is woken by ring-0 and nobody else. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int pipes[64][2];
static int threads, rounds;

static void *pass(void *number) {
  int me = (int)(intptr_t)number;
  char name[16], token;
  snprintf(name, sizeof name, "ring-%d", me);
  pthread_setname_np(pthread_self(), name);
  for (int i = 0; i < rounds; i++) {
    if (read(pipes[me][0], &token, 1) != 1 || write(pipes[(me + 1) % threads][1], &token, 1) != 1) {
      exit(1);
    }
  }
  return 0;
}

int main(int count, char **words) {
  pthread_t all[64];
  threads = count > 1 ? atoi(words[1]) : 4;
  rounds = count > 2 ? atoi(words[2]) : 100;
  for (int i = 0; i < threads; i++) {
    if (pipe(pipes[i]) != 0) {
      return 1;
    }
  }
  for (int i = 0; i < threads; i++) {
    pthread_create(&all[i], 0, pass, (void *)(intptr_t)i);
  }
  usleep(20000);
  if (write(pipes[0][1], "", 1) != 1) {
    return 1;
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(all[i], 0);
  }
  puts("passed");
  return 0;
}
