/* Events without definitions, which are looked up by name. */
#include <string.h>

#include "base/guest.h"
#include "events/events.h"

enum { BUCKETS = 1024, SUBSYSTEM_NAME = 512 };

struct named {
  struct named *next;
  uint32_t hash;
  uint32_t number;
  int kind;
  const char *name;
};

static struct named *buckets[BUCKETS]; /* lists that only grow, at their head */

static uint32_t hash_of(int kind, const char *name) {
  uint32_t hash = UINT32_C(2166136261) ^ (uint32_t) kind;
  for (; *name != 0; name++) {
    hash = (hash ^ (uint8_t) *name) * UINT32_C(16777619);
  }
  return hash;
}

/* Defines the event of a name or a channel. */
static uint32_t define(int kind, const char *name, const char *fields) {
  char subsystem[SUBSYSTEM_NAME];
  const char *event = kind == KYMO_SEND ? "send" : "receive";
  size_t length = strlen(name);
  if (kind != KYMO_SEND && kind != KYMO_RECEIVE) {
    const char *slash = strrchr(name, '/');
    event = slash == NULL ? name : slash + 1;
    length = slash == NULL ? 0 : (size_t) (slash - name);
  }
  length = length < sizeof subsystem ? length : sizeof subsystem - 1;
  memcpy(subsystem, name, length);
  subsystem[length] = 0;
  return (kymo_event_define)(
      length == 0 ? "app" : subsystem, 0, "", "", 0, event, kind, "", "", fields);
}

static __attribute__((noinline)) uint32_t first_use(
    int kind, const char *name, const char *fields, uint32_t hash) {
  uint32_t number = define(kind, name, fields);
  struct named *fresh = number == 0 ? NULL : ky_allocate(sizeof *fresh);
  const char *kept = fresh == NULL ? NULL : ky_copy(name, strlen(name));
  if (kept != NULL) {
    struct named **bucket = &buckets[hash % BUCKETS];
    *fresh = (struct named) {__atomic_load_n(bucket, __ATOMIC_RELAXED), hash, number, kind, kept};
    while (!__atomic_compare_exchange_n(
        bucket, &fresh->next, fresh, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
  }
  return number;
}

static void record(int kind, const char *name, const char *fields, uint64_t argument) {
  if (!__atomic_load_n(&kymo_recording_, __ATOMIC_RELAXED) || name == NULL) {
    return;
  }
  uint32_t hash = hash_of(kind, name);
  const struct named *named = __atomic_load_n(&buckets[hash % BUCKETS], __ATOMIC_ACQUIRE);
  while (named != NULL
      && (named->hash != hash || named->kind != kind || strcmp(named->name, name) != 0)) {
    named = named->next;
  }
  kymo_event(named == NULL ? first_use(kind, name, fields, hash) : named->number, argument);
}

void kymo_instant(const char *name) {
  record(KYMO_INSTANT, name, "", 0);
}

void kymo_counter(const char *name, int64_t value) {
  record(KYMO_COUNTER, name, "i64 value;", (uint64_t) value);
}

void kymo_send(const char *channel, uint64_t key) {
  record(KYMO_SEND, channel, "u64 key;", key);
}

void kymo_receive(const char *channel, uint64_t key) {
  record(KYMO_RECEIVE, channel, "u64 key;", key);
}
