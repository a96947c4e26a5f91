/* The functions of an ELF file, by address. */
#ifndef KYMO_SYMBOLS_H
#define KYMO_SYMBOLS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
  uint64_t address; /* as the file has it */
  uint64_t end; /* equal to the address if the size is not known */
  uint32_t name; /* offset in the names; an empty name marks where code without symbols begins */
  uint32_t rank; /* of several symbols at an address the one with the smallest rank is kept */
};

/* Empty if the file has none, or is damaged. Never freed. */
struct symbols {
  struct symbol *list; /* sorted by address, one for each address */
  size_t count;
  char *names;
};

/* Reads a part of a file; false if the file does not have it. */
bool ky_read_at(int file, void *to, uint64_t size, uint64_t offset);

/* Reads .symtab, or .dynsym if there is no .symtab. Nothing in the file is trusted. */
void ky_symbols_read(int file, uint64_t file_size, const Elf64_Ehdr *header, struct symbols *symbols);

/* Returns the name of the function at an address, or of the nearest function before it; NULL if there is none.
 *
 * @param inside whether the address is in that function, as far as its size is known */
const char *ky_symbol_at(
    const struct symbols *symbols, uint64_t address, uint64_t *offset, bool *inside);

#endif
