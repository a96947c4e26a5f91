#include "libssl.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/guest.h"
#include "connections.h"

enum { CALLERS = 256, CONNECTIONS = 0 /* CRYPTO_EX_INDEX_SSL */ };

/* Where a call comes from, and what it reaches. OpenSSL stays loaded once it was used, so this stays true. */
struct caller {
  struct caller *next;
  void *address;
  const struct libssl *reached;
};

static struct caller *callers[CALLERS]; /* by address; atomic, read without the lock */
static struct libssl *libraries; /* under the lock */

/* The dynamic linker looks in what all of the program sees, and then in what the caller's own library has brought. */
static void *find(const char *name, const char *file) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL && file != NULL) {
    void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) {
      found = dlsym(library, name);
      dlclose(library);
    }
  }
  return found;
}

static int copied(void *to, const void *from, void *kept, int index, long number, void *pointer) {
  (void) to, (void) from, (void) index, (void) number, (void) pointer;
  *(void **) kept = NULL; /* it is another connection */
  return 1;
}

/* Where something can be kept with each connection of a library; below 0 if it lacks what is needed for recording. */
static int index_of(const struct libssl *library) {
  bool enough = library->SSL_get_client_random != NULL && library->SSL_get_server_random != NULL &&
      library->SSL_is_server != NULL && library->SSL_version != NULL && library->SSL_get_ex_data != NULL &&
      library->SSL_set_ex_data != NULL && library->CRYPTO_get_ex_new_index != NULL;
  return enough ? library->CRYPTO_get_ex_new_index(CONNECTIONS, 0, NULL, NULL, copied, ky_ssl_freed) : -1;
}

static void find_all(struct libssl *library, void *address) {
  Dl_info place;
  const char *file = dladdr(address, &place) == 0 ? NULL : place.dli_fname;
#define FIND(name, result, parameters) \
  do { \
    void *found = find(#name, file); \
    memcpy(&library->name, &found, sizeof found); \
  } while (0);
  SSL_FUNCTIONS(FIND)
#undef FIND
}

/* Under the lock. */
static const struct libssl *known(const struct libssl *library) {
  const struct libssl *other = libraries;
  while (other != NULL && other->SSL_get_ex_data != library->SSL_get_ex_data) {
    other = other->next;
  }
  return other;
}

static struct caller **list_of(void *address) {
  return &callers[((uintptr_t) address >> 2 ^ (uintptr_t) address >> 12) % CALLERS];
}

/* What a library's functions belong to, which is known from now on; NULL without memory. What is asked for runs code of
 * the program's: not under the lock. */
static const struct libssl *reach(struct libssl *found) {
  ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
  const struct libssl *reached = known(found);
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
  if (reached != NULL) {
    return reached;
  }
  found->index = index_of(found);
  struct libssl *library = ky_allocate(sizeof *library);
  ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
  reached = known(found);
  if (reached == NULL && library != NULL) { /* no other thread has been faster */
    *library = *found;
    library->next = libraries;
    libraries = library;
    reached = library;
  }
  ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
  return reached;
}

/* Finds out what a caller reaches. */
static const struct libssl *add(void *address) {
  struct libssl found = {0};
  find_all(&found, address);
  const struct libssl *reached = reach(&found);
  struct caller *caller = reached == NULL ? NULL : ky_allocate(sizeof *caller);
  if (caller != NULL) {
    struct caller **list = list_of(address);
    ky_lock(&ky_connections_lock, CONNECTIONS_LOCK);
    *caller = (struct caller) {*list, address, reached};
    __atomic_store_n(list, caller, __ATOMIC_RELEASE);
    ky_unlock(&ky_connections_lock, CONNECTIONS_LOCK);
  }
  return reached;
}

const struct libssl *ky_libssl(void *address) {
  const struct caller *caller = __atomic_load_n(list_of(address), __ATOMIC_ACQUIRE);
  while (caller != NULL && caller->address != address) {
    caller = caller->next;
  }
  if (caller != NULL) {
    return caller->reached;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  const struct libssl *reached = add(address);
  ky_guard_end(&guard);
  return reached;
}
