/* The hooks of -finstrument-functions, and what functions are called. A function has a number from its
 * first call on, and is defined in the recording before it. */
#include "functions.h"

#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "control.h"
#include "counts.h"
#include "events.h"
#include "kymo.h"
#include "modules.h"
#include "record.h"

enum {
  PLACES = FUNCTION_PLACES,
  MOST_MODULES = 4096,
  MOST_TOLD = TOLD / 4 * 3,
  LONGEST_NAME = 4096,
  NOT_RECORDED = 0
};

/* Where a function's address is kept if it is not to be recorded. */
#define EXCLUDED ((uintptr_t) 1 << 63)
#define UNLOADED ((uintptr_t) 1)

struct place_of_function {
  uintptr_t function; /* stored last */
  uint32_t number;
  uint32_t slot; /* where its calls are counted; 0: they are events */
};

struct function {
  uint64_t address; /* as its file has it */
  uintptr_t told; /* the address that events have, if it is a place; 0: it is gone */
  uint32_t type;
  uint32_t slot; /* of its counters; 0: its calls are events */
  uint32_t place; /* its address's among places */
  bool is_place; /* within a function */
  const char *name;
};

struct type {
  uint32_t module; /* as modules.h numbers them */
  const char *name;
  const char *path;
  const char *build_id;
};

/* As the recording's generation while calls are recorded; 0: they are not. Before anything is known of a
 * recording the first call asks. */
uint8_t ky_functions_shown = UINT8_MAX;

static struct lock *lock; /* in memory that a fork zeroes */
static struct place_of_function places[PLACES]; /* read without the lock */
static struct function functions[MOST_FUNCTIONS]; /* number - 1 */
static uint32_t function_count;
uintptr_t ky_told[TOLD]; /* read without the lock */
static uint32_t told_numbers[TOLD]; /* of their places; 0: it has none */
static uint32_t told_count;
static struct type types[MOST_MODULES]; /* number - 1 */
static uint32_t type_count;
static bool unloaded; /* code, at any time */
static char new_name[LONGEST_NAME]; /* a thread's stack may be small */
static _Thread_local bool defining; /* what it asks of the system may be built with hooks itself */

static inline uint32_t place_of(uintptr_t function) {
  return (uint32_t) (function >> 4 ^ function >> 22) & (PLACES - 1);
}

/* Its number, also if it is not recorded; false if it was not called before. */
static bool find(uintptr_t function, uint32_t *number) {
  for (uint32_t i = place_of(function);; i = (i + 1) & (PLACES - 1)) {
    uintptr_t there = __atomic_load_n(&places[i].function, __ATOMIC_ACQUIRE);
    if (there == 0) {
      return false;
    }
    if ((there & ~EXCLUDED) == function) {
      *number = (there & EXCLUDED) != 0 ? NOT_RECORDED : places[i].number;
      return true;
    }
  }
}

/* What finds no room, as only what is left out can, is asked for at each call: there must be an end of what
 * is looked through. */
static void keep(uintptr_t function, uint32_t number) {
  static uint32_t used;
  uint32_t i = place_of(function);
  while (places[i].function > UNLOADED) {
    i = (i + 1) & (PLACES - 1);
  }
  if (places[i].function == 0 && ++used > MOST_FUNCTIONS + PLACES / 8) {
    return;
  }
  places[i].number = number;
  places[i].slot = number == NOT_RECORDED ? 0 : functions[number - 1].slot;
  if (number != NOT_RECORDED) {
    functions[number - 1].place = i;
  }
  uintptr_t kept = number == NOT_RECORDED ? function | EXCLUDED : function;
  __atomic_store_n(&places[i].function, kept, __ATOMIC_RELEASE);
}

static void define_type(struct process *process, uint32_t number) {
  const struct type *type = &types[number - 1];
  struct definition *definition = ky_definition_begin(process, DEFINITION_TYPE);
  ky_definition_u32(definition, number);
  ky_definition_string(definition, type->name);
  ky_definition_string(definition, type->path);
  ky_definition_string(definition, type->build_id);
  ky_definition_put(process, definition);
}

static void define_function(struct process *process, uint32_t number) {
  const struct function *function = &functions[number - 1];
  char address[32];
  snprintf(address, sizeof address, "+0x%llx", (unsigned long long) function->address);
  struct definition *definition = ky_definition_begin(process, DEFINITION_METHOD);
  ky_definition_u32(definition, number);
  ky_definition_u32(definition, function->type);
  ky_definition_u32(definition, 0); /* the line is found later */
  ky_definition_u32(definition, 0);
  ky_definition_string(definition, function->name);
  ky_definition_string(definition, address);
  ky_definition_put(process, definition);
  if (function->told != 0) {
    definition = ky_definition_begin(process, DEFINITION_PLACE);
    ky_definition_u64(definition, function->told);
    ky_definition_u32(definition, number);
    ky_definition_put(process, definition);
  }
}

static const char *kept(const char *text) {
  const char *copy = text == NULL ? NULL : ky_copy(text, strlen(text));
  return copy == NULL ? "" : copy;
}

static uint32_t type_of(struct process *process, const struct place *place) {
  for (uint32_t number = 1; number <= type_count; number++) {
    if (types[number - 1].module == place->module) {
      return number;
    }
  }
  if (type_count == MOST_MODULES) {
    return type_count;
  }
  const char *slash = strrchr(place->path, '/');
  types[type_count] = (struct type) {place->module,
      kept(place->is_program ? "" : slash == NULL ? place->path : slash + 1), kept(place->path),
      kept(place->build_id)};
  define_type(process, ++type_count);
  return type_count;
}

/* Into new_name. Where a function begins that has no symbol, the one before tells something; a place of
 * which it is not known whether it is in that one has none. */
static void take_name(const struct place *place, bool is_place) {
  if (place->symbol == NULL || (is_place && !place->inside)) {
    snprintf(new_name, sizeof new_name, "0x%llx", (unsigned long long) place->address);
  } else if (place->offset == 0 || is_place) {
    snprintf(new_name, sizeof new_name, "%s", place->symbol);
  } else {
    snprintf(new_name, sizeof new_name, "%s+0x%llx", place->symbol, (unsigned long long) place->offset);
  }
}

/* Its number when its file was loaded before; 0: it was not. */
static uint32_t known_before(uint32_t type, const struct place *place, bool is_place) {
  uint32_t number = unloaded && place->module != 0 ? function_count : 0;
  for (; number > 0; number--) {
    const struct function *function = &functions[number - 1];
    if (function->type == type && function->address == place->address
        && function->is_place == is_place && function->told == 0) {
      break;
    }
  }
  return number;
}

/* Whole before it is counted: a child may be made by fork meanwhile. */
static uint32_t add_function(struct process *process, const struct function *function) {
  uint32_t number = function_count + 1;
  functions[number - 1] = *function;
  __atomic_store_n(&function_count, number, __ATOMIC_RELEASE);
  define_function(process, number);
  return number;
}

static uint32_t add(struct process *process, uintptr_t address, const struct place *place) {
  static bool said;
  if (function_count == MOST_FUNCTIONS) {
    if (!said) {
      said = true;
      ky_say("too many functions, the further ones are not recorded: most=%d; leave some out with --exclude",
          MOST_FUNCTIONS);
    }
    return NOT_RECORDED;
  }
  take_name(place, false);
  if (!ky_function_is_wanted(process->session, new_name)) {
    keep(address, NOT_RECORDED);
    return NOT_RECORDED;
  }
  uint32_t type = type_of(process, place);
  uint32_t number = known_before(type, place, false);
  if (number == 0) {
    struct function function = {place->address, 0, type, 0, 0, false, kept(new_name)};
    number = add_function(process, &function);
  }
  keep(address, number);
  return number;
}

/* A function's number; NOT_RECORDED if it has none. Within a guard. */
static uint32_t number_of(struct process *process, uintptr_t function) {
  uint32_t number;
  if (find(function, &number)) {
    return number;
  }
  /* Not while the lock is held: a thread that loads code may wait for it in a call of ours. */
  struct place place;
  if (!ky_place_of(function, &place)) {
    place = (struct place) {.path = "", .build_id = "", .address = function};
  }
  ky_lock(lock);
  if (!find(function, &number)) {
    number = add(process, function, &place);
  }
  ky_unlock(lock);
  return number;
}

/* With the lock. Its place may be another function's by now. */
static void set_slot(uint32_t number, uint32_t slot) {
  struct function *function = &functions[number - 1];
  __atomic_store_n(&function->slot, slot, __ATOMIC_RELAXED);
  if (!function->is_place && places[function->place].number == number) {
    __atomic_store_n(&places[function->place].slot, slot, __ATOMIC_RELAXED);
  }
}

void ky_function_slot(uint32_t number, uint32_t slot) {
  ky_lock(lock);
  set_slot(number, slot);
  ky_unlock(lock);
}

uint32_t ky_functions_known(void) {
  return __atomic_load_n(&function_count, __ATOMIC_ACQUIRE);
}

void ky_functions_show(const struct process *process, bool on) {
  __atomic_store_n(&ky_functions_shown, on ? process->generation : 0, __ATOMIC_RELEASE);
}

void ky_functions_begin(struct process *process) {
  if (process == NULL) {
    __atomic_store_n(&ky_functions_shown, 0, __ATOMIC_RELEASE);
    return;
  }
  ky_lock(lock);
  for (uint32_t number = 1; number <= type_count; number++) {
    define_type(process, number);
  }
  for (uint32_t number = 1; number <= function_count; number++) {
    set_slot(number, 0);
    define_function(process, number);
  }
  ky_unlock(lock);
  ky_functions_show(process, ky_calls_are_wanted());
}

/* Another file may have come to lie there meanwhile. */
static bool is_still_there(uintptr_t address, uint32_t number) {
  struct place place;
  return number != 0 && ky_place_of(address, &place)
      && types[functions[number - 1].type - 1].module == place.module;
}

static void forget_places(void) {
  for (uint32_t i = 0; i < TOLD; i++) {
    if (ky_told[i] > UNLOADED && !is_still_there(ky_told[i] - 1, told_numbers[i])) {
      if (told_numbers[i] != 0) {
        functions[told_numbers[i] - 1].told = 0;
      }
      __atomic_store_n(&ky_told[i], UNLOADED, __ATOMIC_RELEASE);
    }
  }
}

void ky_functions_unloaded(void) {
  if (!ky_modules_changed()) {
    return;
  }
  ky_lock(lock);
  unloaded = true;
  for (uint32_t i = 0; i < PLACES; i++) {
    uintptr_t function = places[i].function;
    bool excluded = (function & EXCLUDED) != 0; /* is asked for again */
    if (function > UNLOADED && (excluded || !is_still_there(function, places[i].number))) {
      __atomic_store_n(&places[i].function, UNLOADED, __ATOMIC_RELEASE);
    }
  }
  forget_places();
  ky_unlock(lock);
}

bool ky_functions_init(void) {
  lock = ky_private_memory(sizeof *lock);
  return lock != NULL && ky_modules_init() && ky_calls_init();
}

/* What a call or its end comes to that is not recorded at once. */
static OUT_OF_LINE void slowly(
    uintptr_t function, const void *site, bool ends, const void *frame) {
  struct guard guard;
  uint32_t number;
  if (defining || ky_own_work || (find(function, &number) && number == NOT_RECORDED)) {
    return;
  }
  ky_guard_begin(&guard);
  defining = true;
  struct process *process = ky_begun() ? ky_joined(&guard) : NULL;
  if (process != NULL && __atomic_load_n(&ky_functions_shown, __ATOMIC_RELAXED) != 0) {
    number = number_of(process, function);
    if (number != NOT_RECORDED) {
      uint32_t slot = __atomic_load_n(&functions[number - 1].slot, __ATOMIC_RELAXED);
      struct call call = {function, (uintptr_t) site, (uintptr_t) frame, number, slot, 0};
      ky_calls_begin(process, frame);
      (ends ? ky_calls_leave : ky_calls_enter)(process, &call);
    }
  }
  defining = false;
  ky_guard_end(&guard);
}

static bool is_told(uintptr_t address) {
  uint32_t i = ky_place_of_told(address);
  uintptr_t there;
  while ((there = __atomic_load_n(&ky_told[i], __ATOMIC_ACQUIRE)) != 0 && there != address) {
    i = (i + 1) & (TOLD - 1);
  }
  return there != 0;
}

/* There is always an end of what must be looked through. */
static void keep_told(uintptr_t address, uint32_t number) {
  uint32_t i = ky_place_of_told(address);
  while (ky_told[i] > UNLOADED) {
    i = (i + 1) & (TOLD - 1);
  }
  if (ky_told[i] == 0) {
    __atomic_store_n(&told_count, told_count + 1, __ATOMIC_RELAXED);
  }
  told_numbers[i] = number;
  __atomic_store_n(&ky_told[i], address, __ATOMIC_RELEASE);
}

/* Its number; NOT_RECORDED if there are too many. */
static uint32_t add_place(struct process *process, uintptr_t address, const struct place *place) {
  if (function_count == MOST_FUNCTIONS) {
    return NOT_RECORDED;
  }
  take_name(place, true);
  uint32_t type = type_of(process, place);
  uint32_t number = known_before(type, place, true);
  if (number == 0) {
    struct function function = {place->address, address, type, 0, 0, true, kept(new_name)};
    return add_function(process, &function);
  }
  functions[number - 1].told = address;
  define_function(process, number);
  return number;
}

/* Asks where the address is before it has the lock, as number_of does. */
static void tell(struct process *process, uintptr_t address, bool is_return) {
  struct place place;
  bool found = ky_place_of(address - is_return, &place);
  ky_lock(lock);
  if (!is_told(address)) {
    keep_told(address, found ? add_place(process, address, &place) : NOT_RECORDED);
  }
  ky_unlock(lock);
}

OUT_OF_LINE void ky_tell_place(uintptr_t address, bool is_return) {
  if (address <= UNLOADED || defining || ky_own_work || is_told(address)
      || __atomic_load_n(&told_count, __ATOMIC_RELAXED) >= MOST_TOLD) {
    return;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  defining = true;
  struct process *process = ky_begun() ? ky_joined(&guard) : NULL;
  if (process != NULL) {
    tell(process, address, is_return);
  }
  defining = false;
  ky_guard_end(&guard);
}

/* The block of the calling thread for a slot if a call may be counted at once; else NULL. */
static inline uint8_t *counter_of(const struct ring *ring, const struct calls *calls, uint32_t slot, uint8_t state) {
  bool ready = ring != NULL && ring->generation == state && ring->counters != NULL
      && calls->generation == state && calls->beyond == 0;
  return RARELY(!ready) ? NULL : ring->counters[slot];
}

/* By the compiler at the begin of each function. */
KYMO_API void __cyg_profile_func_enter(void *function, void *call_site);

/* And at its end. */
KYMO_API void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site) {
  uintptr_t address = (uintptr_t) function;
  uint8_t state = __atomic_load_n(&ky_functions_shown, __ATOMIC_RELAXED);
  if (state == 0) {
    return;
  }
  struct calls *calls = &ky_calls;
  struct call *call = calls->top;
  const struct place_of_function *place = &places[place_of(address)];
  bool known = __atomic_load_n(&place->function, __ATOMIC_ACQUIRE) == address && call != calls->end;
  uint32_t slot = __atomic_load_n(&place->slot, __ATOMIC_RELAXED);
  uint8_t *block = !known || slot == 0 ? NULL : counter_of(ky_ring, calls, slot, state);
  if (block != NULL) {
    calls->top = call + 1;
    SEEN_BY_HANDLERS();
    call->function = address;
    call->site = (uintptr_t) call_site;
    call->frame = (uintptr_t) __builtin_frame_address(0);
    call->number = place->number;
    call->slot = slot;
    count_begin(ky_ring, block, call);
    return;
  }
  struct ring *ring = RARELY(!known || slot != 0) ? NULL : begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(address, call_site, false, __builtin_frame_address(0));
    return;
  }
  uint32_t number = place->number;
  calls->top = call + 1;
  SEEN_BY_HANDLERS();
  call->function = address;
  call->site = (uintptr_t) call_site;
  call->frame = (uintptr_t) __builtin_frame_address(0);
  call->number = number;
  call->slot = 0;
  write_call(ring, RECORD_ENTER, number, 0);
}

void __cyg_profile_func_exit(void *function, void *call_site) {
  uintptr_t address = (uintptr_t) function;
  uint8_t state = __atomic_load_n(&ky_functions_shown, __ATOMIC_RELAXED);
  if (state == 0) {
    return;
  }
  struct calls *calls = &ky_calls;
  struct call *call = calls->top - 1;
  bool known = call->function == address && call->site == (uintptr_t) call_site;
  if (known && call->slot != 0) {
    uint8_t *block = counter_of(ky_ring, calls, call->slot, state);
    if (RARELY(block == NULL)) {
      slowly(address, call_site, true, __builtin_frame_address(0));
      return;
    }
    uint32_t slot = call->slot;
    uint64_t begin = call->begin;
    calls->top = call;
    SEEN_BY_HANDLERS();
    if (begin != 0) {
      count_end(ky_ring, block, slot, begin, clock_now(ky_ring->tsc));
    }
    return;
  }
  struct ring *ring = RARELY(!known) ? NULL : begin_record(state);
  if (RARELY(ring == NULL)) {
    slowly(address, call_site, true, __builtin_frame_address(0));
    return;
  }
  uint32_t number = call->number;
  calls->top = call;
  write_call(ring, RECORD_LEAVE, number, 0);
}
