#include "objects.h"

#include <string.h>

#include "base/guest.h"
#include "events/events.h"

enum { BUCKETS = 1024 };

static struct named *buckets[BUCKETS]; /* lists that only grow, at their head, so the newest name comes first */
static uint32_t count;

static struct named **bucket_of(const void *object) {
  uintptr_t address = (uintptr_t) object;
  return &buckets[(address >> 3 ^ address >> 13) % BUCKETS];
}

struct named *ky_named(const void *object) {
  if (__atomic_load_n(&count, __ATOMIC_RELAXED) == 0) {
    return NULL;
  }
  struct named *named = __atomic_load_n(bucket_of(object), __ATOMIC_ACQUIRE);
  while (named != NULL && named->object != object) {
    named = named->next;
  }
  return named == NULL || named->name[0] == 0 ? NULL : named;
}

static void keep(const void *object, const char *name, size_t length) {
  uint32_t number = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  if (number >= MOST_NAMES) {
    __atomic_store_n(&count, MOST_NAMES, __ATOMIC_RELAXED);
    return;
  }
  struct named *named = ky_allocate(sizeof *named);
  const char *copy = named == NULL ? NULL : ky_copy(name, length);
  if (copy == NULL) {
    return;
  }
  struct named **bucket = bucket_of(object);
  *named = (struct named) {__atomic_load_n(bucket, __ATOMIC_RELAXED), object, copy, number, {0}};
  while (!__atomic_compare_exchange_n(
      bucket, &named->next, named, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

void kymo_name(const void *object, const char *name) {
  if (!__atomic_load_n(&kymo_recording_, __ATOMIC_RELAXED) || object == NULL) {
    return;
  }
  const char *text = name == NULL ? "" : name;
  size_t length = strnlen(text, LONGEST_NAME);
  const struct named *now = ky_named(object);
  if (strncmp(now == NULL ? "" : now->name, text, length + 1) != 0) {
    keep(object, text, length);
  }
  struct __attribute__((packed)) {
    uint64_t object;
    uint16_t length;
    char text[LONGEST_NAME];
  } data = {(uint64_t) (uintptr_t) object, (uint16_t) length, ""};
  memcpy(data.text, text, length);
  uint32_t number = (kymo_event_define)(PTHREAD_SUBSYSTEM, 100, "name", KYMO_INSTANT, "",
      "An object has a name from now on", "u64 object; str name;");
  kymo_event_data(number, &data, 10 + length);
}
