#ifndef KYMO_INSTRUCTIONS_TARGETS_H
#define KYMO_INSTRUCTIONS_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a call of execveat names, as the kernel says it to scripts: a path, or /dev/fd/N. Directory and flags are as
 * there. Returns false if it names nothing.
 */
bool ky_target_name(char *to, size_t size, int directory, const char *path, uint64_t flags);

/*
 * A path by which the same file is found when the program is another one: then descriptors are closed, and /proc/self
 * is another's. In a process that QEMU runs, it is also the program where the kernel says that it is QEMU. Returns
 * false if there is no such file, or no path to it.
 */
bool ky_target_path(char *to, size_t size, const char *name);

#endif
