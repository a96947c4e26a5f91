/* One thread has a mutex until the other one waits for it. Or, with libraries as arguments: each is loaded,
 * takes the mutex, and is unloaded. With NAME this is such a library. Tests look for lines by their comments. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef NAME

int NAME(pthread_mutex_t *mutex);

int NAME(pthread_mutex_t *mutex) {
  int result = pthread_mutex_lock(mutex);
  return result + pthread_mutex_unlock(mutex);
}

#else

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static volatile int taken;

/* Not 0: the mutex is held, 2: and somebody waits in the kernel. */
static int is_waited_for(void) {
  return *(volatile int *) &queue.__data.__lock == 2;
}

__attribute__((noinline)) static void use_queue(void) {
  pthread_mutex_lock(&queue); /* waits */
  pthread_mutex_unlock(&queue); /* lets go */
}

static void *waiter(void *unused) {
  while (!taken) {
    usleep(100);
  }
  use_queue();
  return unused;
}

__attribute__((noinline)) static void hold_queue(void) {
  pthread_mutex_lock(&queue); /* holds */
  taken = 1;
  while (!is_waited_for()) {
    usleep(100);
  }
  pthread_mutex_unlock(&queue);
}

static int loads(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW);
  int (*take)(pthread_mutex_t *) = NULL;
  if (handle != NULL) {
    *(void **) &take = dlsym(handle, name);
  }
  return take == NULL ? 1 : take(&queue) + dlclose(handle);
}

int main(int count, char **arguments) {
  pthread_t thread;
  for (int i = 1; i + 1 < count; i += 2) {
    if (loads(arguments[i], arguments[i + 1]) != 0) {
      return 1;
    }
  }
  if (count == 1) {
    pthread_create(&thread, NULL, waiter, NULL); /* makes */
    hold_queue();
    pthread_join(thread, NULL);
  }
  puts("done");
  return 0;
}

#endif
