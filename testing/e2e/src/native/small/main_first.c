/* The first thread ends before the others.
 * calls: main 1, late 1
 * uftrace: reports no call that does not end */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *late(void *argument) { usleep(50000); exit(0); return argument; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, late, NULL);
  pthread_exit(NULL);
}
