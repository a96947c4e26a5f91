#ifndef KYMO_INSTRUCTIONS_PROGRAMS_H
#define KYMO_INSTRUCTIONS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The program calls execve, or execveat. QEMU would let the new program run without QEMU; this runs it in QEMU, too.
 * Returns only if that is not possible, and then the program's own call goes on: it fails, or the new program is not
 * recorded. options: of this plugin there. Returns whether there is a program that may be started.
 */
bool ky_exec(const char *name, char *const *arguments, char *const *environment, const char *options);

#endif
