#ifndef KYMO_INSTRUCTIONS_OWN_H
#define KYMO_INSTRUCTIONS_OWN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The program's own file. For the kernel that is QEMU: /proc/self/exe leads there. QEMU itself knows the name that it
 * was given, which leads nowhere when the program has changed its folder, or was deleted.
 */

/* Remembers it. The name is what QEMU was given, at an offset in its command line. */
void ky_remember_program(const char *name, size_t offset);

/* The program has been loaded: from now on QEMU knows it by its whole path. */
void ky_tell_program(void);

/* A path by which the program can be started once more. If its file is gone, that is a copy. */
bool ky_own_program(char *to, size_t size);

/* Copies a program that has no path to the recording. */
bool ky_copy_program(char *to, size_t size, int file);

#endif
