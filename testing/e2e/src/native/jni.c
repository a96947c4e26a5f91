/* What Jni.java calls. */
#include <jni.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) int inner(int n) {
  __asm__ volatile("");
  return n % 7;
}

JNIEXPORT jint JNICALL Java_Jni_work(JNIEnv *env, jclass type, jint n) {
  (void) env;
  (void) type;
  pthread_mutex_lock(&mutex);
  int result = inner(n);
  pthread_mutex_unlock(&mutex);
  return result;
}
