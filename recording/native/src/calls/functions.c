/* Numbers and names of functions. A function gets its number at its first call, and is defined in the recording before
 * that call. */
#include "functions.h"

#include <stdio.h>
#include <string.h>

#include "base/guest.h"
#include "base/layout.h"
#include "base/modules.h"
#include "base/private.h"
#include "events/level.h"
#include "events/pattern.h"
#include "shared/definitions.h"

enum {
  PLACES = FUNCTION_PLACES,
  MOST_MODULES = 4096,
  MOST_TOLD = TOLD / 4 * 3,
  FUNCTIONS_AT_ONCE = 2048,
  LONGEST_NAME = 4096
};

/* Mark on the address of a function that is not recorded; and the value of an entry whose code was unloaded. */
#define EXCLUDED ((uintptr_t) 1 << 63)
#define UNLOADED ((uintptr_t) 1)

struct function {
  uint64_t address; /* in its file */
  uintptr_t told; /* the address in events, if it is a place; 0: it was unloaded */
  uint32_t type;
  uint32_t slot; /* of its counters; 0: its calls are events */
  uint32_t place; /* the index of its address in ky_places */
  bool is_place; /* an address within a function */
  const char *name;
};

struct type {
  uint32_t module; /* its number in modules.h */
  const char *name;
  const char *path;
  const char *build_id;
};

uint8_t ky_functions_shown = UINT8_MAX;

static struct lock *lock; /* in memory that a fork zeroes */
struct place_of_function ky_places[PLACES]; /* read without the lock */
static struct function *functions; /* number - 1; addresses for MOST_FUNCTIONS */
static uint32_t usable_functions;
static uint32_t function_count;
uintptr_t ky_told[TOLD]; /* read without the lock */
static uint32_t told_numbers[TOLD]; /* of their places; 0: the address has none */
static uint32_t told_count;
static struct type types[MOST_MODULES]; /* number - 1 */
static uint32_t type_count;
static uint32_t known[PLACES]; /* numbers, found by where functions lie in their files; 0: none */
static bool of_libraries; /* whether the tables have addresses of libraries */
static char new_name[LONGEST_NAME]; /* a thread's stack may be small */

/* Finds a function's number, also if it is NOT_RECORDED; false if the function was not called before. */
static bool find(uintptr_t function, uint32_t *number) {
  for (uint32_t i = ky_function_place(function);; i = (i + 1) & (PLACES - 1)) {
    uintptr_t there = __atomic_load_n(&ky_places[i].function, __ATOMIC_ACQUIRE);
    if (there == 0) {
      return false;
    }
    if ((there & ~EXCLUDED) == function) {
      *number = (there & EXCLUDED) != 0 ? NOT_RECORDED : ky_places[i].number;
      return true;
    }
  }
}

/* Keeps a function's number. Functions without room, which are only functions that are not recorded, are looked up at
 * each call: a search must find a free entry in the end. */
static void keep(uintptr_t function, uint32_t number) {
  static uint32_t used;
  if (ky_may_be_unloaded_now(function)) {
    return; /* perhaps it is gone before the entry could be removed */
  }
  of_libraries |= ky_may_be_unloaded(function);
  uint32_t i = ky_function_place(function);
  while (ky_places[i].function > UNLOADED) {
    i = (i + 1) & (PLACES - 1);
  }
  if (ky_places[i].function == 0 && ++used > MOST_FUNCTIONS + PLACES / 8) {
    return;
  }
  ky_places[i].number = number;
  ky_places[i].slot = number == NOT_RECORDED ? 0 : functions[number - 1].slot;
  if (number != NOT_RECORDED) {
    functions[number - 1].place = i;
  }
  uintptr_t kept = number == NOT_RECORDED ? function | EXCLUDED : function;
  __atomic_store_n(&ky_places[i].function, kept, __ATOMIC_RELEASE);
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
  ky_definition_u32(definition, 0); /* the line is found by readers */
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

/* Writes a name into new_name. A function without a symbol is named after the symbol before it; a place is named after
 * a function only if it is known to be in it. */
static void take_name(const struct place *place, bool is_place) {
  if (place->symbol == NULL || (is_place && !place->inside)) {
    snprintf(new_name, sizeof new_name, "0x%llx", (unsigned long long) place->address);
  } else if (place->offset == 0 || is_place) {
    snprintf(new_name, sizeof new_name, "%s", place->symbol);
  } else {
    snprintf(new_name, sizeof new_name, "%s+0x%llx", place->symbol, (unsigned long long) place->offset);
  }
}

static uint32_t place_in_file(uint32_t type, uint64_t address) {
  return ky_function_place((uintptr_t) address * 31 + type);
}

/* Whether a function's address is known now: the file may be loaded twice, in name spaces of the loader. */
static bool is_kept(uint32_t number) {
  const struct place_of_function *place = &ky_places[functions[number - 1].place];
  return place->number == number && place->function > UNLOADED;
}

/* The number it had when its file was loaded before; 0: it was not loaded before. */
static uint32_t known_before(uint32_t type, const struct place *place, bool is_place) {
  uint32_t i = place_in_file(type, place->address);
  for (; place->module != 0 && known[i] != 0; i = (i + 1) & (PLACES - 1)) {
    const struct function *function = &functions[known[i] - 1];
    if (function->type == type && function->address == place->address
        && function->is_place == is_place && function->told == 0 && (is_place || !is_kept(known[i]))) {
      return known[i];
    }
  }
  return 0;
}

/* Whether there is memory for one more function. */
static bool has_room(void) {
  static bool said;
  uint32_t wanted = usable_functions + FUNCTIONS_AT_ONCE;
  if (function_count < usable_functions) {
    return true;
  }
  if (functions == NULL || !ky_use(functions, wanted * sizeof *functions)) {
    if (!said) {
      said = true;
      ky_say("no memory for more functions, the further ones are not recorded: functions=%u", function_count);
    }
    return false;
  }
  usable_functions = wanted;
  return true;
}

/* The function is complete before it is counted, because a child may be made by fork at any time. */
static uint32_t add_function(struct process *process, const struct function *function) {
  if (!has_room()) {
    return NOT_RECORDED;
  }
  uint32_t number = function_count + 1;
  functions[number - 1] = *function;
  __atomic_store_n(&function_count, number, __ATOMIC_RELEASE);
  uint32_t i = place_in_file(function->type, function->address);
  while (known[i] != 0) {
    i = (i + 1) & (PLACES - 1);
  }
  known[i] = number;
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

uint32_t ky_function_number(struct process *process, uintptr_t function) {
  uint32_t number;
  if (find(function, &number)) {
    return number;
  }
  /* Not while the lock is held: a thread that is loading code may wait for the lock in a hook. */
  struct place place;
  if (!ky_place_of(function, &place)) {
    place = (struct place) {.path = "", .build_id = "", .address = function};
  }
  ky_lock(lock, FUNCTIONS_LOCK);
  if (!find(function, &number)) {
    number = add(process, function, &place);
  }
  ky_unlock(lock, FUNCTIONS_LOCK);
  return number;
}

/* With the lock. The place of a function may belong to another function by now. */
static void set_slot(uint32_t number, uint32_t slot) {
  struct function *function = &functions[number - 1];
  __atomic_store_n(&function->slot, slot, __ATOMIC_RELAXED);
  if (!function->is_place && ky_places[function->place].number == number) {
    __atomic_store_n(&ky_places[function->place].slot, slot, __ATOMIC_RELAXED);
  }
}

bool ky_function_is_left_out(uintptr_t function) {
  uint32_t number;
  return find(function, &number) && number == NOT_RECORDED;
}

uint32_t ky_function_slot(uint32_t number) {
  return __atomic_load_n(&functions[number - 1].slot, __ATOMIC_RELAXED);
}

void ky_function_set_slot(uint32_t number, uint32_t slot) {
  ky_lock(lock, FUNCTIONS_LOCK);
  set_slot(number, slot);
  ky_unlock(lock, FUNCTIONS_LOCK);
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
  ky_lock(lock, FUNCTIONS_LOCK);
  for (uint32_t number = 1; number <= type_count; number++) {
    define_type(process, number);
  }
  for (uint32_t number = 1; number <= function_count; number++) {
    set_slot(number, 0);
    define_function(process, number);
  }
  ky_unlock(lock, FUNCTIONS_LOCK);
  ky_functions_show(process, ky_calls_are_wanted());
}

/* Forgets where functions and places of libraries lie. They keep their numbers, which are found again when they are
 * used again. With the lock. */
static void forget(void) {
  if (!of_libraries) {
    return;
  }
  of_libraries = false;
  for (uint32_t i = 0; i < PLACES; i++) {
    uintptr_t function = ky_places[i].function;
    if (function > UNLOADED && ky_may_be_unloaded(function & ~EXCLUDED)) {
      __atomic_store_n(&ky_places[i].function, UNLOADED, __ATOMIC_RELEASE);
    }
  }
  for (uint32_t i = 0; i < TOLD; i++) {
    if (ky_told[i] > UNLOADED && ky_may_be_unloaded(ky_told[i])) {
      if (told_numbers[i] != NOT_RECORDED) {
        functions[told_numbers[i] - 1].told = 0;
      }
      __atomic_store_n(&ky_told[i], UNLOADED, __ATOMIC_RELEASE);
    }
  }
}

void ky_functions_unloading(void) {
  ky_modules_unloading(); /* first: from now on nothing is kept that would have to be forgotten */
  ky_lock(lock, FUNCTIONS_LOCK);
  forget();
  ky_unlock(lock, FUNCTIONS_LOCK);
}

void ky_functions_unloaded(void) {
  ky_modules_unloaded();
}

bool ky_functions_init(void) {
  lock = ky_private_memory(sizeof *lock);
  functions = ky_addresses(MOST_FUNCTIONS * sizeof *functions);
  return lock != NULL && ky_modules_init();
}

static bool is_told(uintptr_t address) {
  uint32_t i = ky_place_of_told(address);
  uintptr_t there;
  while ((there = __atomic_load_n(&ky_told[i], __ATOMIC_ACQUIRE)) != 0 && there != address) {
    i = (i + 1) & (TOLD - 1);
  }
  return there != 0;
}

/* The table is never full, so every search ends. */
static void keep_told(uintptr_t address, uint32_t number) {
  uint32_t i = ky_place_of_told(address);
  while (ky_told[i] > UNLOADED) {
    i = (i + 1) & (TOLD - 1);
  }
  if (ky_told[i] == 0) {
    __atomic_store_n(&told_count, told_count + 1, __ATOMIC_RELAXED);
  }
  of_libraries |= ky_may_be_unloaded(address);
  told_numbers[i] = number;
  __atomic_store_n(&ky_told[i], address, __ATOMIC_RELEASE);
}

/* Adds a place and returns its number; NOT_RECORDED if there are too many. */
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

/* Looks up the address before it takes the lock, like ky_function_number(). */
void ky_place_define(struct process *process, uintptr_t address, bool is_return) {
  struct place place;
  bool found = ky_place_of(address - is_return, &place);
  ky_lock(lock, FUNCTIONS_LOCK);
  if (!ky_may_be_unloaded_now(address) && !is_told(address)) {
    keep_told(address, found ? add_place(process, address, &place) : NOT_RECORDED);
  }
  ky_unlock(lock, FUNCTIONS_LOCK);
}

bool ky_place_is_settled(uintptr_t address) {
  return address <= UNLOADED || is_told(address) || __atomic_load_n(&told_count, __ATOMIC_RELAXED) >= MOST_TOLD;
}
