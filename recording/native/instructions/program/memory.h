#ifndef KYMO_INSTRUCTIONS_MEMORY_H
#define KYMO_INSTRUCTIONS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The program's memory, and the files that are mapped there. */

/* The path of the first file that QEMU has mapped for the program of another process. */
bool ky_first_module(char *to, size_t size, int process);

/* A fact for each file with code that is mapped already. Returns where the first one, the program, is. */
uint64_t ky_mapped_modules(void);

/* A file's code is mapped now. */
void ky_module(uint64_t address, uint64_t length, int file, uint64_t offset);

/* Reads the program's memory, which need not be there. Returns how many bytes were read. */
size_t ky_peek(void *to, uint64_t address, size_t size);

/* The same with text. Returns whether it is there with its end, and has room. */
bool ky_peek_text(char *to, size_t size, uint64_t address);

#endif
