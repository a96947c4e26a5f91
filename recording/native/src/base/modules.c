#include "modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest.h"
#include "private.h"
#include "symbols.h"

enum { BUILD_ID = 64, NOTES = 4096, MOST_SEGMENTS = 128, PATH = 4096 };

/* A file. It is never freed, because places refer to it. */
struct module {
  struct module *next;
  uint32_t number;
  bool is_program;
  struct stat state; /* identifies the file */
  const char *path;
  char build_id[2 * BUILD_ID + 1];
  struct symbols symbols;
};

/* Where the dynamic loader has mapped a file. */
struct loaded {
  uintptr_t begin;
  uintptr_t end; /* 0: forgotten */
  uintptr_t bias;
  const char *name; /* the loader's; it is freed with the file */
};

struct mapping {
  struct mapping *next;
  struct loaded loaded;
  Elf64_Ehdr header; /* as it was in memory */
  struct module *module;
};

/* In memory that a fork zeroes, so a child finds it free; therefore what it protects is consistent at any time. It also
 * protects the static buffers, which exist because the stack of a signal handler may be small. */
struct changing {
  struct lock lock;
  uint32_t unloading; /* calls of dlclose that run */
};

static struct changing *changing;
static struct module *modules;
static struct mapping *mappings;
static uint32_t last_number;
static struct loaded program; /* where it lies, if that is known */

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && !defined(KYMO_OLD_LOADER)

/* Takes no lock: a child may be forked while another thread is here. For an address that another thread unloads, the
 * loader gives no name. */
static bool find_loaded(uintptr_t address, struct loaded *loaded) {
  struct dl_find_object found;
  if (_dl_find_object((void *) address, &found) != 0 || found.dlfo_link_map == NULL) {
    return false;
  }
  loaded->begin = (uintptr_t) found.dlfo_map_start;
  loaded->end = (uintptr_t) found.dlfo_map_end;
  loaded->bias = found.dlfo_link_map->l_addr;
  loaded->name = found.dlfo_link_map->l_name;
  return true;
}

#else

struct search {
  uintptr_t address;
  struct loaded *loaded;
};

static int consider(struct dl_phdr_info *info, size_t size, void *argument) {
  (void) size;
  const struct search *search = argument;
  uintptr_t begin = UINTPTR_MAX;
  uintptr_t end = 0;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t first = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD) {
      begin = first < begin ? first & ~(uintptr_t) (segment->p_align - 1) : begin;
      end = first + segment->p_memsz > end ? first + segment->p_memsz : end;
    }
  }
  if (search->address < begin || search->address >= end) {
    return 0;
  }
  *search->loaded = (struct loaded) {begin, end, info->dlpi_addr, info->dlpi_name};
  return 1;
}

static bool find_loaded(uintptr_t address, struct loaded *loaded) {
  struct search search = {address, loaded};
  return dl_iterate_phdr(consider, &search) != 0;
}

#endif

/* Copies the path from a line of the process's map if the line is about the address. */
static bool path_in(char *line, uintptr_t address, char *path) {
  char *rest;
  uintptr_t begin = strtoul(line, &rest, 16);
  uintptr_t end = *rest == '-' ? strtoul(rest + 1, &rest, 16) : 0;
  const char *found = strchr(rest, '/');
  if (address < begin || address >= end || found == NULL) {
    return false;
  }
  strcpy(path, found);
  const char *suffix = " (deleted)";
  size_t length = strlen(path);
  if (length > strlen(suffix) && strcmp(path + length - strlen(suffix), suffix) == 0) {
    path[length - strlen(suffix)] = 0;
  }
  return true;
}

/* Asks the kernel for the path of the file that is mapped at an address. */
static bool mapped_path(uintptr_t address, char *path) {
  static char text[PATH];
  size_t length = 0;
  bool found = false;
  ssize_t part = 1;
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  while (file >= 0 && !found && part > 0) {
    part = read(file, text + length, sizeof text - 1 - length);
    length += part > 0 ? (size_t) part : 0;
    text[length] = 0;
    char *line = text;
    for (char *end; !found && (end = strchr(line, '\n')) != NULL; line = end + 1) {
      *end = 0;
      found = path_in(line, address, path);
    }
    length -= (size_t) (line - text);
    memmove(text, line, length);
  }
  if (file >= 0) {
    close(file);
  }
  return found;
}

/* The loader has no name for the program, and may have relative names for libraries. */
static void path_of(const struct loaded *loaded, char *path) {
  if (loaded->name[0] == '/' || !mapped_path(loaded->begin, path)) {
    snprintf(path, PATH, "%s", loaded->name);
  }
}

static bool is_loaded_at(const Elf64_Phdr *segments, size_t count, const Elf64_Phdr *notes) {
  for (size_t i = 0; i < count; i++) {
    const Elf64_Phdr *segment = &segments[i];
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) != 0
        && notes->p_vaddr >= segment->p_vaddr && notes->p_filesz <= segment->p_filesz
        && notes->p_vaddr - segment->p_vaddr <= segment->p_filesz - notes->p_filesz) {
      return true;
    }
  }
  return false;
}

/* Copies the build id from notes, if it is there. */
static void take_build_id(const char *notes, size_t size, char *build_id) {
  size_t at = 0;
  while (size - at >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    memcpy(&note, notes + at, sizeof note);
    at += sizeof note;
    size_t name = ((size_t) note.n_namesz + 3) & ~(size_t) 3;
    size_t content = ((size_t) note.n_descsz + 3) & ~(size_t) 3;
    if (name > size - at || content > size - at - name) {
      return;
    }
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU
        && memcmp(notes + at, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0
        && note.n_descsz <= BUILD_ID) {
      for (size_t i = 0; i < note.n_descsz; i++) {
        sprintf(build_id + 2 * i, "%02x", (uint8_t) notes[at + name + i]);
      }
    }
    at += name + content;
  }
}

/* Whether the notes in the file are those in memory; copies the build id. */
static bool same_notes(int file, const struct mapping *mapping, char *build_id) {
  static Elf64_Phdr segments[MOST_SEGMENTS];
  const Elf64_Ehdr *header = &mapping->header;
  size_t count = header->e_phnum;
  if (count > MOST_SEGMENTS || header->e_phentsize != sizeof segments[0]
      || !ky_read_at(file, segments, count * sizeof segments[0], header->e_phoff)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    static char notes[NOTES];
    const Elf64_Phdr *segment = &segments[i];
    uintptr_t address = mapping->loaded.bias + segment->p_vaddr;
    if (segment->p_type != PT_NOTE || segment->p_filesz > sizeof notes
        || !is_loaded_at(segments, count, segment) || address < mapping->loaded.begin
        || address >= mapping->loaded.end || segment->p_filesz > mapping->loaded.end - address) {
      continue;
    }
    if (!ky_read_at(file, notes, segment->p_filesz, segment->p_offset)
        || memcmp(notes, (const void *) address, segment->p_filesz) != 0) {
      return false;
    }
    take_build_id(notes, segment->p_filesz, build_id);
  }
  return true;
}

/* Whether the file on disk is still the one that was loaded. */
static bool is_same(int file, const struct mapping *mapping, char *build_id) {
  Elf64_Ehdr header;
  return ky_read_at(file, &header, sizeof header, 0)
      && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64
      && memcmp(&header, &mapping->header, sizeof header) == 0
      && same_notes(file, mapping, build_id);
}

static struct module *find_module(const struct stat *state, const char *path) {
  struct module *module = modules;
  while (module != NULL
      && (strcmp(module->path, path) != 0 || module->state.st_ino != state->st_ino
          || module->state.st_dev != state->st_dev || module->state.st_size != state->st_size
          || module->state.st_mtim.tv_sec != state->st_mtim.tv_sec
          || module->state.st_mtim.tv_nsec != state->st_mtim.tv_nsec)) {
    module = module->next;
  }
  return module;
}

static struct module *make_module(
    int file, const struct stat *state, const struct mapping *mapping, const char *path) {
  struct module *module = ky_allocate(sizeof *module);
  const char *copy = ky_copy(path, strlen(path));
  if (module == NULL || copy == NULL) {
    return NULL;
  }
  *module = (struct module) {.next = modules, .number = ++last_number, .state = *state, .path = copy,
      .is_program = mapping->loaded.name[0] == 0};
  if (file >= 0 && is_same(file, mapping, module->build_id)) {
    ky_symbols_read(file, (uint64_t) state->st_size, &mapping->header, &module->symbols);
  } else {
    module->build_id[0] = 0;
  }
  __atomic_store_n(&modules, module, __ATOMIC_RELEASE);
  return module;
}

static struct module *module_of(const struct mapping *mapping) {
  static char path[PATH];
  struct stat state = {0};
  path_of(&mapping->loaded, path);
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file >= 0 && (fstat(file, &state) != 0 || !S_ISREG(state.st_mode))) {
    close(file);
    file = -1;
  }
  struct module *module = find_module(&state, path);
  if (module == NULL) {
    module = make_module(file, &state, mapping, path);
  }
  if (file >= 0) {
    close(file);
  }
  return module;
}

/* A new mapping is complete before others find it; a reused one is complete when it has an end. One that may go now
 * has no end: it is for this call only. */
static struct mapping *make_mapping(const struct loaded *loaded) {
  struct mapping *mapping = mappings;
  while (mapping != NULL && mapping->loaded.end != 0) {
    mapping = mapping->next;
  }
  bool is_new = mapping == NULL;
  mapping = is_new ? ky_allocate(sizeof *mapping) : mapping;
  if (mapping == NULL) {
    return NULL;
  }
  struct mapping fresh = {.loaded = *loaded};
  memcpy(&fresh.header, (const void *) loaded->begin, sizeof fresh.header);
  mapping->module = module_of(&fresh);
  mapping->header = fresh.header;
  mapping->loaded.begin = loaded->begin;
  mapping->loaded.bias = loaded->bias;
  mapping->loaded.name = loaded->name;
  uintptr_t end = ky_may_be_unloaded_now(loaded->begin) ? 0 : loaded->end;
  __atomic_store_n(&mapping->loaded.end, end, __ATOMIC_RELEASE);
  if (is_new) {
    mapping->next = mappings;
    __atomic_store_n(&mappings, mapping, __ATOMIC_RELEASE);
  }
  return mapping;
}

static bool is_at_same_place(const struct loaded *a, const struct loaded *b) {
  return a->begin == b->begin && a->end == b->end && a->bias == b->bias && a->name == b->name;
}

static bool is_known(const struct mapping *mapping, const struct loaded *loaded) {
  return is_at_same_place(&mapping->loaded, loaded)
      && memcmp((const void *) loaded->begin, &mapping->header, sizeof mapping->header) == 0;
}

bool ky_place_of(uintptr_t address, struct place *place) {
  struct loaded loaded;
  if (!find_loaded(address, &loaded) || loaded.end - loaded.begin < sizeof(Elf64_Ehdr)
      || loaded.begin == getauxval(AT_SYSINFO_EHDR)) {
    return false;
  }
  ky_lock(&changing->lock, MODULES_LOCK);
  const struct mapping *mapping = mappings;
  while (mapping != NULL && !is_known(mapping, &loaded)) {
    mapping = mapping->next;
  }
  if (mapping == NULL) {
    mapping = make_mapping(&loaded);
  }
  const struct module *module = mapping == NULL ? NULL : mapping->module;
  if (module != NULL) {
    place->module = module->number;
    place->is_program = module->is_program;
    place->path = module->path;
    place->build_id = module->build_id;
    place->address = address - loaded.bias;
    place->offset = 0;
    place->inside = false;
    place->symbol =
        ky_symbol_at(&module->symbols, place->address, &place->offset, &place->inside);
  }
  ky_unlock(&changing->lock, MODULES_LOCK);
  return module != NULL;
}

/* No thread asks the loader about a file that another one may unload meanwhile: it would read what has been freed.
 * Mappings are never removed from their list. */
void ky_modules_unloading(void) {
  ky_lock(&changing->lock, MODULES_LOCK);
  __atomic_store_n(&changing->unloading, changing->unloading + 1, __ATOMIC_RELEASE);
  for (struct mapping *mapping = mappings; mapping != NULL; mapping = mapping->next) {
    if (ky_may_be_unloaded(mapping->loaded.begin)) {
      mapping->loaded.end = 0;
    }
  }
  ky_unlock(&changing->lock, MODULES_LOCK);
}

void ky_modules_unloaded(void) {
  ky_lock(&changing->lock, MODULES_LOCK);
  if (changing->unloading > 0) { /* it is, but in a child that was made meanwhile */
    __atomic_store_n(&changing->unloading, changing->unloading - 1, __ATOMIC_RELEASE);
  }
  ky_unlock(&changing->lock, MODULES_LOCK);
}

bool ky_may_be_unloaded(uintptr_t address) {
  return address < program.begin || address >= program.end;
}

bool ky_may_be_unloaded_now(uintptr_t address) {
  return ky_may_be_unloaded(address) && __atomic_load_n(&changing->unloading, __ATOMIC_ACQUIRE) > 0;
}

bool ky_modules_init(void) {
  find_loaded((uintptr_t) getauxval(AT_ENTRY), &program);
  changing = ky_private_memory(sizeof *changing);
  return changing != NULL;
}
