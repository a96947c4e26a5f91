/* A disk that a thread of its own reads from, block by block, for whoever asks. */
#include <kymo.h> /* before what is generated: then that has functions, too */

#include "disk.h"

#include <pthread.h>
#include <stdio.h>

enum { BLOCKS = 300, PLACES = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned asked;
static unsigned taken;

static unsigned read_block(unsigned block) {
  unsigned tries = 1;
  unsigned sum = 0;
  trace_disk_read(block);
  for (; block % 10 == 9 && tries < 3; tries++) {
    trace_disk_retry(tries);
  }
  for (unsigned byte = 0; byte < 10000; byte++) {
    sum = sum * 31 + block + byte;
  }
  trace_disk_read_done(tries == 1 ? "fine" : "after some tries");
  return sum;
}

static void *disk(void *sum) {
  for (unsigned block = 0; block < BLOCKS; block++) {
    pthread_mutex_lock(&lock);
    while (taken == asked) {
      pthread_cond_wait(&changed, &lock);
    }
    taken++;
    trace_disk_taken(block);
    trace_disk_queue(asked - taken);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    *(unsigned *) sum += read_block(block);
  }
  return NULL;
}

int main(void) {
  unsigned sum = 0;
  pthread_t thread;
  if (pthread_create(&thread, NULL, disk, &sum) != 0) {
    return 1;
  }
  for (unsigned block = 0; block < BLOCKS; block++) {
    pthread_mutex_lock(&lock);
    while (asked - taken == PLACES) {
      pthread_cond_wait(&changed, &lock);
    }
    trace_disk_request(block);
    asked++;
    trace_disk_queue(asked - taken);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(thread, NULL);
  printf("sum %u\n", sum);
  return 0;
}
