/* Finds the file and the function that an address of code belongs to. */
#ifndef KYMO_MODULES_H
#define KYMO_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* Where an address lies. The strings stay valid. */
struct place {
  uint32_t module; /* number of the file, from 1; the same when the file is loaded again */
  bool is_program; /* the program itself, not a library */
  const char *path; /* absolute, if that is known */
  const char *build_id; /* in hexadecimal digits; "" if there is none */
  uint64_t address; /* in the file */
  const char *symbol; /* the function at or before it in the symbol table; NULL: not known */
  uint64_t offset; /* from that function */
  bool inside; /* whether the address is in the function, as far as its size is known */
};

/* Finds where an address of code lies; false if it is in no file, like the kernel's vdso or code that was compiled at
 * run time. Takes milliseconds for the first address of a file. Within a guard, by any thread, also in signal handlers
 * and while a library is being loaded. */
bool ky_place_of(uintptr_t address, struct place *place);

/* Whether an address of code may belong to another file later: all but the program itself may be unloaded. */
bool ky_may_be_unloaded(uintptr_t address);

/* And now, because a dlclose runs: what is known of the address must not be kept. */
bool ky_may_be_unloaded_now(uintptr_t address);

/* To be called before and after dlclose, within a guard: what lies where is forgotten, because other files may be
 * loaded at the addresses. */
void ky_modules_unloading(void);
void ky_modules_unloaded(void);

/* Once, before all others; false if there is no memory. */
bool ky_modules_init(void);

#endif
