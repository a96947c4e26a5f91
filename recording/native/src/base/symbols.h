/* The functions of an ELF file, by address. */
#ifndef KYMO_SYMBOLS_H
#define KYMO_SYMBOLS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
  uint64_t address; /* as the file has it */
  uint64_t end; /* the address itself if its size is not known */
  uint32_t name; /* where in the names; an empty one marks where code begins that has no symbol */
  uint32_t rank; /* of several at one address the smallest is taken */
};

/* None if the file has none, or is damaged. Never given back. */
struct symbols {
  struct symbol *list; /* in the order of their addresses, one for each */
  size_t count;
  char *names;
};

/* Reads a part of a file; false if it is not there. */
bool ky_read_at(int file, void *to, uint64_t size, uint64_t offset);

/* Reads what .symtab has, or .dynsym if there is no .symtab. Nothing in the file is trusted. */
void ky_symbols_read(int file, uint64_t file_size, const Elf64_Ehdr *header, struct symbols *symbols);

/* The name of the function at an address, or of the nearest before it; NULL if there is none.
 *
 * @param inside whether the address is a part of that function, as far as its size is known */
const char *ky_symbol_at(
    const struct symbols *symbols, uint64_t address, uint64_t *offset, bool *inside);

#endif
