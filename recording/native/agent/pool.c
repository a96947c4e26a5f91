#include "pool.h"

#include <stdlib.h>
#include <string.h>

/* As dev.kymo.agent.weave.JdkAccess defines it. */
static const char HOOK[] = "java/lang/KymoProbe";

/* Maximum number of constants of a class file, and of those that probes add to it. */
enum { MOST_CONSTANTS = 65535, MOST_ADDED = 4096 };

struct class_slot {
  uint32_t constant;
  uint32_t length;
  /* Offset in the file, or, after its size, in the added bytes. */
  uint32_t at;
};

static uint32_t hash_of(const uint8_t *name, uint32_t length) {
  uint32_t hash = 2166136261;
  for (uint32_t i = 0; i < length; i++) {
    hash = (hash ^ name[i]) * 16777619;
  }
  return hash;
}

static const uint8_t *name_in(const struct pool *pool, const struct class_slot *slot) {
  uint32_t size = pool->file->size;
  return slot->at < size ? pool->file->bytes + slot->at : pool->added.bytes + (slot->at - size);
}

/* The slot with this name, or the empty slot for it. */
static struct class_slot *slot_of(const struct pool *pool, const uint8_t *name, uint32_t length) {
  uint32_t mask = pool->class_room - 1;
  uint32_t i = hash_of(name, length) & mask;
  while (pool->classes[i].constant != 0
         && (pool->classes[i].length != length || memcmp(name_in(pool, &pool->classes[i]), name, length) != 0)) {
    i = (i + 1) & mask;
  }
  return &pool->classes[i];
}

bool pool_open(struct pool *pool, const struct class_file *file) {
  *pool = (struct pool){.file = file, .count = file->constant_count, .class_room = 1024};
  while (pool->class_room < 2 * (file->constant_count + MOST_ADDED)) {
    pool->class_room *= 2;
  }
  pool->classes = calloc(pool->class_room, sizeof *pool->classes);
  if (!pool->classes) {
    return false;
  }
  for (uint32_t i = 1; i < file->constant_count; i++) {
    if (tag_of(file, i) == TAG_CLASS) {
      struct span name = utf8(file, reference(file, i, 0));
      struct class_slot *slot = slot_of(pool, file->bytes + name.at, name.length);
      if (slot->constant == 0) {
        *slot = (struct class_slot){i, name.length, name.at};
      }
    }
  }
  return true;
}

void pool_close(struct pool *pool) {
  free(pool->classes);
  output_close(&pool->added);
}

/* Begins a constant; returns its number, or 0 if there is no room. */
static uint32_t add(struct pool *pool, uint32_t tag) {
  if (pool->count >= MOST_CONSTANTS || pool->count - pool->file->constant_count >= MOST_ADDED) {
    pool->added.bad = true;
    return 0;
  }
  put1(&pool->added, tag);
  return pool->count++;
}

static uint32_t add_text(struct pool *pool, const void *text, uint32_t length) {
  uint32_t number = add(pool, TAG_UTF8);
  put2(&pool->added, length);
  put_bytes(&pool->added, text, length);
  return number;
}

static uint32_t add_pair(struct pool *pool, uint32_t tag, uint32_t first, uint32_t second) {
  uint32_t number = add(pool, tag);
  put2(&pool->added, first);
  put2(&pool->added, second);
  return number;
}

uint32_t class_constant(struct pool *pool, const uint8_t *name, uint32_t length) {
  struct class_slot *slot = slot_of(pool, name, length);
  if (slot->constant == 0) {
    uint32_t text = add_text(pool, name, length);
    uint32_t at = pool->file->size + pool->added.size - length;
    uint32_t number = add(pool, TAG_CLASS);
    put2(&pool->added, text);
    if (pool->added.bad) {
      return 0;
    }
    *slot = (struct class_slot){number, length, at};
  }
  return slot->constant;
}

uint32_t integer_constant(struct pool *pool, int32_t value) {
  uint32_t number = add(pool, TAG_INTEGER);
  put4(&pool->added, (uint32_t) value);
  return number;
}

static uint32_t add_hook(struct pool *pool, uint32_t hook, const char *name, uint32_t descriptor) {
  uint32_t text = add_text(pool, name, (uint32_t) strlen(name));
  return add_pair(pool, TAG_METHOD, hook, add_pair(pool, TAG_NAME_AND_TYPE, text, descriptor));
}

bool add_probe_constants(struct pool *pool) {
  uint32_t hook = class_constant(pool, (const uint8_t *) HOOK, sizeof HOOK - 1);
  uint32_t end = add_text(pool, "(IJ)V", 5);
  pool->enter = add_hook(pool, hook, "enter", add_text(pool, "(I)J", 4));
  pool->leave = add_hook(pool, hook, "leave", end);
  pool->unwind = add_hook(pool, hook, "unwind", end);
  pool->stack_map_table = add_text(pool, "StackMapTable", 13);
  return !pool->added.bad;
}
