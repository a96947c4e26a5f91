/* calls: main 1, begin 1, waits 1, cleanup 1 */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
static sem_t ready;
static void cleanup(void *unused) { (void) unused; }
static void waits(void) { sem_post(&ready); for (;;) pause(); }
static void *begin(void *argument) {
  pthread_cleanup_push(cleanup, NULL);
  waits();
  pthread_cleanup_pop(0);
  return argument;
}
int main(void) {
  pthread_t thread;
  void *result;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, NULL, begin, NULL);
  sem_wait(&ready);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED ? 0 : 1;
}
