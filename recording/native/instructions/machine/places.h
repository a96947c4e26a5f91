#ifndef KYMO_INSTRUCTIONS_MACHINE_PLACES_H
#define KYMO_INSTRUCTIONS_MACHINE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "../marker.h"

/*
 * Where recording begins and ends, besides markers: at a number of the clock, at a function of the kernel, or at one of
 * the program's file, which has an address once it is mapped. The clock counts all instructions.
 */

/*
 * Sets one: a number; or k and an address, or p and an offset in the program's file, both hexadecimal, then # and how
 * often it is passed until it counts.
 */
void ky_set_place(enum marker marker, const char *text);

/* The path of the program's file. */
void ky_set_program(const char *path);

/* Code of a file is mapped: from one address up to another one, from an offset in the file. Whether it is the program. */
bool ky_file_is_mapped(const char *path, uint64_t begin, uint64_t end, uint64_t offset);

/* Whether recording begins, or ends, at an address; both may be at the same one. */
bool ky_is_place(enum marker marker, uint64_t address);

/* A place is passed; returns whether recording begins or ends now. */
bool ky_pass(enum marker marker, bool in_program);

#endif
