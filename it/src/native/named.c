/* Records calls of two functions, as libkymo does for programs that are compiled for it, and says where
 * they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "definitions.h"
#include "guest.h"
#include "kymo.h"
#include "layout.h"
#include "modules.h"
#include "process.h"
#include "ring.h"
#include "threads.h"

enum { DEFINITION_TYPE = 3, DEFINITION_METHOD = 4 };

extern int cpp(int number) __asm__("_ZN2ns5innerEiPKc");

__attribute__((noinline, used)) int cpp(int number) {
  __asm__ volatile("");
  return number + 1;
}

__attribute__((noinline, used)) int plain(int number) {
  __asm__ volatile("");
  return number + 2;
}

static void define(uint32_t number, uintptr_t address) {
  struct place place;
  struct definition definition;
  char text[64];
  if (!ky_place_of(address, &place)) {
    abort();
  }
  ky_definition_begin(&definition, DEFINITION_TYPE);
  ky_definition_u32(&definition, place.module);
  ky_definition_string(&definition, place.is_program ? "" : strrchr(place.path, '/') + 1);
  ky_definition_string(&definition, place.path);
  ky_definition_string(&definition, place.build_id);
  ky_definition_put(ky_process, &definition);
  ky_definition_begin(&definition, DEFINITION_METHOD);
  ky_definition_u32(&definition, number);
  ky_definition_u32(&definition, place.module);
  ky_definition_u32(&definition, 0);
  ky_definition_u32(&definition, 0);
  ky_definition_string(&definition, place.symbol == NULL ? "0x0" : place.symbol);
  snprintf(text, sizeof text, "+0x%lx", place.address);
  ky_definition_string(&definition, text);
  ky_definition_put(ky_process, &definition);
}

static void record(uint32_t id, uint32_t method) {
  struct record record = {.id = id, .payload = method};
  ky_ring_record(ky_process, ky_own_ring(ky_process), &record);
}

int main(int count, char **arguments) {
  struct guard guard;
  (void) arguments;
  kymo_instant("app/begin");
  ky_guard_begin(&guard);
  if (ky_process == NULL || !ky_modules_init()) {
    return 2;
  }
  define(1, (uintptr_t) cpp);
  define(2, (uintptr_t) plain);
  for (int i = 0; i < 10; i++) {
    record(RECORD_ENTER, 1);
    record(RECORD_ENTER, 2);
    record(RECORD_LEAVE, 2);
    record(RECORD_LEAVE, 1);
  }
  ky_guard_end(&guard);
  if (count > 1) {
    puts("ready");
    fflush(stdout);
    pause();
  }
  return 0;
}
