/* Which file's code an address is, and which function's. */
#ifndef KYMO_MODULES_H
#define KYMO_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* Its strings stay. */
struct place {
  uint32_t module; /* number of the file, from 1; the same when it is loaded once more */
  bool is_program; /* the program itself, no library */
  const char *path; /* absolute, unless nothing better is known */
  const char *build_id; /* in hexadecimal digits, "" without */
  uint64_t address; /* as the file has it */
  const char *symbol; /* the function at or before it, as in the symbol table; NULL if not known */
  uint64_t offset; /* from there */
  bool inside; /* the address is a part of the function, as far as its size is known */
};

/* Where an address of code lies; false if in no file, as the kernel's vdso and what a compiler made at
 * run time. Takes milliseconds for the first address of a file. Within a guard, by any thread, in signal
 * handlers, also while a library is being loaded. */
bool ky_place_of(uintptr_t address, struct place *place);

/* Forgets what is no longer loaded: another file may be loaded there later. To be called after dlclose,
 * within a guard. Returns whether a file is gone in which a place had been asked for. */
bool ky_modules_changed(void);

/* Once, before all others; false if there is no memory. */
bool ky_modules_init(void);

#endif
