/* calls: main 1, begin 2, inner 2, destroy 2
 * uftrace: is gone from a thread before its last destructors */
#include <pthread.h>
static pthread_key_t key;
static void destroy(void *value) { (void) value; }
static void inner(void) { pthread_setspecific(key, &key); pthread_exit(NULL); }
static void *begin(void *argument) { inner(); return argument; }
int main(void) {
  pthread_key_create(&key, destroy);
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, begin, NULL);
    pthread_join(thread, NULL);
  }
  return 0;
}
