#include "waits.h"

#include <pthread.h>
#include <string.h>

#include "api/objects.h"
#include "control/join.h"
#include "events/events.h"
#include "shared/definitions.h"

/* Numbers that functions, which count up from 1, and events, which count down, never reach. */
#define FIRST_TYPE UINT32_C(0x7FFF00)
#define LAST_METHOD (MAX_PAYLOAD - KYMO_MOST_EVENTS)

#define WORD(constant, word) word,
static const char *const kinds[] = {WAIT_KINDS(WORD)};
#undef WORD

_Static_assert((int) NUMBER_OF_WAIT_KINDS <= (int) KINDS_OF_WAITS, "an object has a place for each kind");

bool ky_waits = true; /* set statically, because the process may join before anything here has run */
uint64_t ky_releasers[RELEASERS * RELEASER_WORDS];

static struct named nameless; /* stands for all objects without a name */

static void define(struct process *process, enum wait_kind kind, uint32_t method, const char *name) {
  struct definition *definition = ky_definition_begin(process, DEFINITION_TYPE);
  ky_definition_u32(definition, FIRST_TYPE + kind);
  ky_definition_string(definition, kinds[kind]);
  ky_definition_string(definition, "");
  ky_definition_string(definition, "");
  ky_definition_put(process, definition);
  definition = ky_definition_begin(process, DEFINITION_METHOD);
  ky_definition_u32(definition, method);
  ky_definition_u32(definition, FIRST_TYPE + kind);
  ky_definition_u32(definition, 0);
  ky_definition_u32(definition, 0);
  ky_definition_string(definition, name);
  ky_definition_string(definition, "");
  ky_definition_put(process, definition);
}

/* Number of the method that names a state; 0 if the recording is over. */
static uint32_t method_of(enum wait_kind kind, const void *object, uint8_t generation) {
  struct named *named = ky_named(object);
  uint32_t place = named == NULL ? 0 : named->number + 1;
  uint32_t method = LAST_METHOD - place * KINDS_OF_WAITS - kind;
  named = named == NULL ? &nameless : named;
  if (__atomic_load_n(&named->defined[kind], __ATOMIC_ACQUIRE) == generation) {
    return method;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  bool same = process != NULL && process->generation == generation;
  if (same) {
    define(process, kind, method, named->name == NULL ? "" : named->name);
    __atomic_store_n(&named->defined[kind], generation, __ATOMIC_RELEASE);
  }
  ky_guard_end(&guard);
  return same ? method : 0;
}

/* This thread's ring in the recording, which is made if need be. */
static const struct ring *ring_of_thread(uint8_t state) {
  const struct ring *ring = ky_ring;
  if ((ring == NULL || ring->generation != state) && !ky_own_work && !ky_has_no_ring()) {
    struct guard guard;
    ky_guard_begin(&guard);
    struct process *process = ky_joined(&guard);
    ring = process == NULL ? NULL : ky_own_ring(process);
    ky_guard_end(&guard);
  }
  return ring;
}

/* Records that are written together. */
struct unit {
  uint32_t size; /* words */
  uint32_t events;
  uint64_t words[16];
};

static void add(struct unit *unit, uint32_t id, uint32_t payload) {
  unit->words[unit->size++] = compact(id, 0, payload);
  unit->events += id != RECORD_SWITCH && id != RECORD_DETAIL;
}

static void add_op(struct unit *unit, const struct wait *wait, int result, uint64_t waited) {
  bool condition = wait->op == COND_WOKEN;
  uint64_t more = condition ? wait->mutex : 0;
  uint64_t words[] = {OBJECT(wait->object), wait->caller, (uint32_t) result | waited << 32,
      waited >> 32 | more << 32, more >> 32};
  uint32_t length = condition ? 36 : 28;
  add(unit, RECORD_EVENT_DATA, ky_ops[wait->op].number);
  unit->words[unit->size++] = data_header(length);
  memcpy(unit->words + unit->size, words, data_size(length));
  unit->size += data_size(length) / 8;
}

static void add_end(struct unit *unit, const struct wait *wait, uint32_t other) {
  add(unit, RECORD_SWITCH, wait->waits);
  add(unit, RECORD_DETAIL, 0);
  unit->words[unit->size++] = (uint32_t) (OBJECT(wait->object) >> 3) | (uint64_t) other << 32;
  add(unit, RECORD_LEAVE, wait->method);
  add(unit, RECORD_SWITCH, ky_ring->running);
}

/* Writes a unit without a system call if possible. */
static void write_unit(struct unit *unit, uint8_t generation, uint64_t at) {
  struct record record = {RECORD_UNIT, 0, at, unit->words, unit->size * 8};
  struct ring *ring = begin_record(generation);
  if (ring == NULL) {
    ky_record_slowly(&record, __builtin_frame_address(0));
    return;
  }
  uint64_t now = at < ring->last ? ring->last : at;
  if (!has_room(ring, now, unit->size * 8)) {
    record.argument = now;
    ky_record_without_room(ring, &record);
    return;
  }
  uint64_t *to = (uint64_t *) (void *) (ring->memory + ring->offset);
  ky_unit_copy(to, unit->words, unit->size, now);
  ring->extra -= unit->events - 1;
  commit(ring, now, unit->size * 8);
  end_record(ring);
}

void ky_wait_begin(struct wait *wait, uint64_t at) {
  wait->method = 0;
  const struct ring *ring = ring_of_thread(wait->state);
  if (ring == NULL) {
    wait->begin = 0;
    return;
  }
  if (!ky_is_told(wait->caller)) {
    ky_tell_place(wait->caller, true);
  }
  wait->generation = ring->generation;
  wait->waits = ring->waits;
  bool states = op_state(STATES) != 0 && wait->waits != 0;
  uint32_t method = states ? method_of(wait->kind, (const void *) wait->object, wait->generation) : 0;
  wait->begin = at != 0 ? at : clock_now(ring->tsc);
  if (method != 0) {
    struct unit unit = {0, 0, {0}};
    add(&unit, RECORD_SWITCH, wait->waits);
    add(&unit, RECORD_ENTER, method);
    add(&unit, RECORD_SWITCH, ring->running);
    wait->method = method;
    write_unit(&unit, wait->generation, wait->begin);
  }
}

uint32_t ky_wait_track(struct wait *wait) {
  const struct ring *ring = ring_of_thread(wait->state);
  wait->generation = ring == NULL ? 0 : ring->generation;
  return ring == NULL || op_state(OWNERS) == 0 ? 0 : ring->waits;
}

/* Whether the recording in which the state began still runs, in this process. */
static bool is_open(const struct wait *wait) {
  return wait->method != 0 && ky_ring != NULL && ky_ring->generation == wait->generation
      && ky_ring->waits == wait->waits;
}

void ky_wait_end(const struct wait *wait, int result, uint32_t other) {
  struct unit unit = {0, 0, {0}};
  uint64_t now = ticks(wait->generation);
  uint64_t waited = wait->begin == 0 || now <= wait->begin ? 1 : now - wait->begin;
  if (is_open(wait)) {
    add_end(&unit, wait, other);
  }
  if (op_state(wait->op) != 0) {
    bool last = wait->op == BARRIER_WAIT && result == PTHREAD_BARRIER_SERIAL_THREAD;
    add_op(&unit, wait, result, last ? 0 : waited);
  }
  if (unit.size > 0) {
    write_unit(&unit, wait->generation, now);
  }
}

void ky_wait_end_state(struct wait *wait, uint32_t other) {
  struct unit unit = {0, 0, {0}};
  if (is_open(wait)) {
    add_end(&unit, wait, other);
    write_unit(&unit, wait->generation, ticks(wait->generation));
  }
  wait->method = 0;
  wait->begin = 0;
}

uint32_t ky_releaser(const volatile void *object) {
  const struct ring *ring = ky_ring;
  if (op_state(OWNERS) == 0 || ring == NULL) {
    return 0;
  }
  uint64_t entry = __atomic_load_n(releaser_place(OBJECT(object)), __ATOMIC_RELAXED);
  uint32_t tag = (uint32_t) entry;
  bool known = entry == releaser_entry(OBJECT(object), tag) && tag >> 24 == ring->generation;
  return known && tag != ring->tag ? tag & MAX_PAYLOAD : 0;
}

uint32_t ky_holder(uint32_t tid) {
  if (op_state(OWNERS) == 0 || tid == 0) {
    return 0;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  uint32_t waits = ky_waits_of(tid);
  ky_guard_end(&guard);
  return waits;
}
