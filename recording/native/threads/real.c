#include "real.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* Used while the real functions are looked up, which may call the program's allocator, which may take locks. Nobody
 * wraps these names. */
extern int early_lock(pthread_mutex_t *mutex);
extern int early_trylock(pthread_mutex_t *mutex);
extern int early_unlock(pthread_mutex_t *mutex);
extern int early_once(pthread_once_t *control, void (*routine)(void));
#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17" /* of ARM64 */
#endif
__asm__(".symver early_lock,__pthread_mutex_lock@" FIRST_VERSION);
__asm__(".symver early_trylock,__pthread_mutex_trylock@" FIRST_VERSION);
__asm__(".symver early_unlock,__pthread_mutex_unlock@" FIRST_VERSION);
__asm__(".symver early_once,__pthread_once@" FIRST_VERSION);

struct real ky_real;

/* Condition variables of x86-64 have two versions, and dlsym may return the old one. ThreadSanitizer has functions of its
 * own without a version, which have to see each wait. */
static void *find(const char *name) {
  bool sanitized = dlsym(RTLD_DEFAULT, "__tsan_init") != NULL;
  bool versioned = !sanitized && strncmp(name, "pthread_cond_", 13) == 0
      && strcmp(name, "pthread_cond_clockwait") != 0;
  void *found = versioned ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : NULL;
  return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

void ky_real_find(void) {
  static _Thread_local bool searching;
  if (searching) {
    return; /* the early functions are set */
  }
  searching = true;
  ky_real.pthread_mutex_lock = early_lock;
  ky_real.pthread_mutex_trylock = early_trylock;
  ky_real.pthread_mutex_unlock = early_unlock;
  ky_real.pthread_once = early_once;
  struct real all;
#define FIND(name, result, parameters) \
  do { \
    void *found = find(#name); \
    memcpy(&all.name, &found, sizeof found); \
  } while (0);
  PTHREAD_FUNCTIONS(FIND)
#undef FIND
  ky_real = all;
  searching = false;
}
