#ifndef KYMO_INSTRUCTIONS_PLACES_H
#define KYMO_INSTRUCTIONS_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_insn;

/*
 * Where recording begins and ends: at a marker, which is an instruction without effect that kymo.h has a macro for, or at
 * an address of the program. Markers count each time, from a pass on; addresses once, and then markers do not count.
 */

/* What happens at an instruction. */
enum place { PLACE_BEGIN, PLACE_END };

/* Sets one: "marker" or an address in the file in hexadecimal digits, then "#" and a number. Returns whether it is one. */
bool ky_set_place(enum place place, const char *text);

/* Where the program's file is mapped: addresses are found from there. */
void ky_program_at(uint64_t address);

/* Whether an instruction is a place; one address may be both. */
bool ky_is_place(enum place place, const struct qemu_plugin_insn *instruction);

/* Writes what a program that this one starts is told: markers only, with the passes that are left. Returns the length. */
size_t ky_places_of_children(char *to, size_t size);

/* A place is passed; returns whether it counts. */
bool ky_pass(enum place place);

#endif
