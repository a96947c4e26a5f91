/* Files are read, not mapped: a file that is truncated while it is mapped would kill the program. */
#include "symbols.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGEST_TABLE (UINT64_C(1) << 30)
enum { RANK_LABEL = 3, RANK_NONE = 6 };

struct table {
  uint64_t size;
  void *bytes; /* NULL: it cannot be read */
};

static void *pages(uint64_t size) {
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void give_back(const struct table *table) {
  if (table->bytes != NULL) {
    munmap(table->bytes, table->size);
  }
}

bool ky_read_at(int file, void *to, uint64_t size, uint64_t offset) {
  uint64_t done = 0;
  while (done < size) {
    ssize_t part = pread(file, (char *) to + done, size - done, (off_t) (offset + done));
    if (part == 0 || (part < 0 && errno != EINTR)) {
      return false;
    }
    done += part > 0 ? (uint64_t) part : 0;
  }
  return true;
}

/* A zero byte follows it and ends the last string. */
static struct table read_table(int file, uint64_t file_size, uint64_t offset, uint64_t size) {
  struct table table = {size + 1, NULL};
  if (size > 0 && size <= LARGEST_TABLE && offset <= file_size && size <= file_size - offset) {
    table.bytes = pages(table.size);
  }
  if (table.bytes != NULL && !ky_read_at(file, table.bytes, size, offset)) {
    give_back(&table);
    table.bytes = NULL;
  }
  return table;
}

static const Elf64_Shdr *find(const Elf64_Shdr *sections, size_t count, uint32_t type) {
  for (size_t i = 0; i < count; i++) {
    if (sections[i].sh_type == type && sections[i].sh_entsize == sizeof(Elf64_Sym)
        && sections[i].sh_size > sizeof(Elf64_Sym) && sections[i].sh_link < count) {
      return &sections[i];
    }
  }
  return NULL;
}

static bool is_code(const Elf64_Shdr *section) {
  return (section->sh_flags & SHF_EXECINSTR) != 0;
}

static uint32_t rank_of(const Elf64_Sym *symbol) {
  uint32_t binding = ELF64_ST_BIND(symbol->st_info);
  uint32_t rank = binding == STB_LOCAL ? 2 : binding == STB_WEAK;
  return ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE ? RANK_LABEL + rank : rank;
}

/* Functions and labels of assembler code, except labels that mark what is code and what is data. */
static bool is_wanted(
    const Elf64_Sym *symbol, const Elf64_Shdr *sections, size_t count, const struct table *names) {
  uint32_t type = ELF64_ST_TYPE(symbol->st_info);
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= count || symbol->st_name >= names->size
      || !is_code(&sections[symbol->st_shndx])) {
    return false;
  }
  const char *name = (const char *) names->bytes + symbol->st_name;
  return name[0] != 0
      && (type == STT_FUNC || type == STT_GNU_IFUNC
          || (type == STT_NOTYPE && name[0] != '$' && name[0] != '.'));
}

static bool is_before(const struct symbols *symbols, const struct symbol *a, const struct symbol *b) {
  if (a->address != b->address) {
    return a->address < b->address;
  }
  if (a->rank != b->rank) {
    return a->rank < b->rank;
  }
  const char *first = symbols->names + a->name;
  const char *second = symbols->names + b->name;
  size_t length = strlen(first);
  size_t other = strlen(second);
  return length != other ? length < other : strcmp(first, second) < 0;
}

static void sink(const struct symbols *symbols, size_t at, size_t count) {
  struct symbol *heap = symbols->list;
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && is_before(symbols, &heap[child], &heap[child + 1])) {
      child++;
    }
    if (!is_before(symbols, &heap[at], &heap[child])) {
      return;
    }
    struct symbol moved = heap[at];
    heap[at] = heap[child];
    heap[child] = moved;
  }
}

/* A heap sort, because the C library's sort may allocate. */
static void sort(const struct symbols *symbols) {
  for (size_t i = symbols->count / 2; i-- > 0;) {
    sink(symbols, i, symbols->count);
  }
  for (size_t last = symbols->count; last-- > 1;) {
    struct symbol greatest = symbols->list[0];
    symbols->list[0] = symbols->list[last];
    symbols->list[last] = greatest;
    sink(symbols, 0, last);
  }
}

/* Keeps the best symbol of each address, and no labels within functions. */
static void thin_out(struct symbols *symbols) {
  size_t kept = 0;
  uint64_t function_end = 0;
  for (size_t i = 0; i < symbols->count; i++) {
    const struct symbol *symbol = &symbols->list[i];
    bool is_label = symbol->rank >= RANK_LABEL && symbol->rank < RANK_NONE;
    bool is_same = kept > 0 && symbols->list[kept - 1].address == symbol->address;
    if (is_same || (is_label && symbol->address < function_end)) {
      continue;
    }
    function_end = symbol->end > function_end ? symbol->end : function_end;
    symbols->list[kept++] = *symbol;
  }
  symbols->count = kept;
}

/* The version after a name is not a part of it. */
static void cut_version(char *name) {
  char *version = strchr(name, '@');
  if (version != NULL && version != name) {
    *version = 0;
  }
}

static void collect(struct symbols *symbols, const struct table *table, const struct table *names,
    const Elf64_Shdr *sections, size_t section_count) {
  const Elf64_Sym *all = table->bytes;
  size_t count = (table->size - 1) / sizeof *all;
  symbols->list = pages((count + section_count) * sizeof *symbols->list);
  if (symbols->list == NULL) {
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const Elf64_Sym *symbol = &all[i];
    if (is_wanted(symbol, sections, section_count, names)) {
      cut_version(symbols->names + symbol->st_name);
      symbols->list[symbols->count++] = (struct symbol) {symbol->st_value,
          symbol->st_value + symbol->st_size, symbol->st_name, rank_of(symbol)};
    }
  }
  for (size_t i = 0; i < section_count; i++) { /* a function of one section says nothing about addresses of another */
    if (is_code(&sections[i])) {
      uint64_t begin = sections[i].sh_addr;
      uint32_t no_name = (uint32_t) names->size - 1;
      symbols->list[symbols->count++] = (struct symbol) {begin, begin, no_name, RANK_NONE};
    }
  }
  sort(symbols);
  thin_out(symbols);
}

void ky_symbols_read(int file, uint64_t file_size, const Elf64_Ehdr *header, struct symbols *symbols) {
  *symbols = (struct symbols) {NULL, 0, NULL};
  if (header->e_shentsize != sizeof(Elf64_Shdr)) {
    return;
  }
  size_t count = header->e_shnum;
  struct table sections = read_table(file, file_size, header->e_shoff, count * sizeof(Elf64_Shdr));
  if (sections.bytes == NULL) {
    return;
  }
  const Elf64_Shdr *all = sections.bytes;
  const Elf64_Shdr *found = find(all, count, SHT_SYMTAB);
  found = found == NULL ? find(all, count, SHT_DYNSYM) : found;
  if (found != NULL) {
    const Elf64_Shdr *strings = &all[found->sh_link];
    struct table table = read_table(file, file_size, found->sh_offset, found->sh_size);
    struct table names = read_table(file, file_size, strings->sh_offset, strings->sh_size);
    symbols->names = names.bytes;
    if (table.bytes != NULL && names.bytes != NULL) {
      collect(symbols, &table, &names, all, count);
    }
    give_back(&table);
  }
  give_back(&sections);
}

const char *ky_symbol_at(
    const struct symbols *symbols, uint64_t address, uint64_t *offset, bool *inside) {
  size_t low = 0;
  size_t high = symbols->count;
  while (low < high) { /* symbols before low are not after the address */
    size_t middle = low + (high - low) / 2;
    if (symbols->list[middle].address <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0 || symbols->names[symbols->list[low - 1].name] == 0) {
    return NULL;
  }
  const struct symbol *found = &symbols->list[low - 1];
  *offset = address - found->address;
  *inside = address < found->end || found->end == found->address;
  return symbols->names + found->name;
}
