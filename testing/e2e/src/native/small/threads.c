/* calls: main 1, work 4, step 400 */
#include <pthread.h>
static int step(int n) { return n + 1; }
static void *work(void *argument) {
  long n = 0;
  for (int i = 0; i < 100; i++) n = step((int) n);
  return (char *) argument + n;
}
int main(void) {
  pthread_t threads[4];
  void *result;
  long sum = 0;
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++) { pthread_join(threads[i], &result); sum += (long) result; }
  return sum == 400 ? 0 : 1;
}
