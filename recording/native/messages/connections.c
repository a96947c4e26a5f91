#include "connections.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/guest.h"

enum { IN_CHUNK = 1 << DESCRIPTORS_BITS };

struct connection **ky_connection_chunks[CHUNKS];

struct lock ky_connections_lock;
static struct connection *unused; /* under the lock */
static long process; /* whose descriptors these are: a child made by vfork has other ones, but the same memory */

bool ky_is_java(void) {
  static bool java;
  if (!java) {
    java = dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs") != NULL;
  }
  return java;
}

static bool is_own(void) {
  return !ky_stands_aside && syscall(SYS_getpid) == process;
}

static struct connection **slot(int descriptor, bool make) {
  uint32_t number = (uint32_t) descriptor;
  if (number >> DESCRIPTORS_BITS >= CHUNKS) {
    return NULL;
  }
  struct connection ***chunk = &ky_connection_chunks[number >> DESCRIPTORS_BITS];
  if (*chunk == NULL && make) {
    __atomic_store_n(chunk, ky_allocate(IN_CHUNK * sizeof **chunk), __ATOMIC_RELEASE);
  }
  return *chunk == NULL ? NULL : *chunk + number % IN_CHUNK;
}

/* Gives a descriptor another connection, or none. */
static void put(int descriptor, struct connection *connection) {
  struct connection **place = slot(descriptor, connection != NULL);
  if (place == NULL) {
    return;
  }
  struct connection *before = *place;
  if (connection != NULL) {
    connection->descriptors++;
  }
  __atomic_store_n(place, connection, __ATOMIC_RELEASE);
  if (before != NULL && --before->descriptors == 0) {
    before->next_free = unused;
    unused = before;
  }
}

static struct connection *make(void) {
  struct connection *connection = unused;
  if (connection == NULL) {
    return ky_allocate(sizeof *connection);
  }
  unused = connection->next_free;
  *connection = (struct connection) {0};
  return connection;
}

void ky_connection_begin(int descriptor) {
  struct guard guard;
  if (descriptor < 0 || !is_own() || ky_is_java()) {
    return;
  }
  ky_guard_begin(&guard);
  ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
  put(descriptor, make());
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
  ky_guard_end(&guard);
}

void ky_connection_share(int descriptor, int other) {
  struct guard guard;
  struct connection *connection = connection_of(descriptor);
  if (other < 0 || other == descriptor || (connection == NULL && connection_of(other) == NULL) || !is_own()) {
    return;
  }
  ky_guard_begin(&guard);
  ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
  put(other, connection);
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
  ky_guard_end(&guard);
}

void ky_connection_end(int descriptor) {
  struct guard guard;
  if (connection_of(descriptor) == NULL || !is_own()) {
    return;
  }
  ky_guard_begin(&guard);
  ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
  put(descriptor, NULL);
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
  ky_guard_end(&guard);
}

void ky_connections_end(unsigned first, unsigned last) {
  for (uint32_t chunk = first >> DESCRIPTORS_BITS; chunk < CHUNKS && chunk <= last >> DESCRIPTORS_BITS; chunk++) {
    uint32_t begin = chunk << DESCRIPTORS_BITS;
    for (uint32_t i = 0; ky_connection_chunks[chunk] != NULL && i < IN_CHUNK; i++) {
      if (begin + i >= first && begin + i <= last) {
        ky_connection_end((int) (begin + i));
      }
    }
  }
}

static void before_fork(void) {
  ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
}

static void after_fork(void) {
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
}

static void in_child(void) {
  process = ky_stands_aside ? 0 : syscall(SYS_getpid);
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
}

__attribute__((constructor(103))) static void begin(void) {
  process = syscall(SYS_getpid);
  pthread_atfork(before_fork, after_fork, in_child);
}
