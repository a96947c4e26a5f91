#ifndef KYMO_INSTRUCTIONS_PROGRAMS_H
#define KYMO_INSTRUCTIONS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The program calls execve. QEMU would let the new program run without QEMU; this runs it in QEMU, too. Returns only if
 * that is not possible, and then the program's own call goes on: it fails, or the new program is not recorded. options: of
 * this plugin there.
 */
void ky_exec(const char *path, char *const *arguments, char *const *environment, const char *options);

/* A fact for each file with code that is mapped already. Returns where the first one, the program, is. */
uint64_t ky_mapped_modules(void);

/* A file's code is mapped now. */
void ky_module(uint64_t address, uint64_t length, int file, uint64_t offset);

/* Reads the program's memory, which need not be there. Returns how many bytes were read. */
size_t ky_peek(void *to, uint64_t address, size_t size);

#endif
