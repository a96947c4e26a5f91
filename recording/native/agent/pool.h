/* The constants of a class file and those that probes add to them. */
#ifndef KYMO_AGENT_POOL_H
#define KYMO_AGENT_POOL_H

#include "classfile.h"
#include "output.h"

struct pool {
  const struct class_file *file;
  /* The bytes of what is added. */
  struct output added;
  uint32_t count;
  /* The calls that probes make, and the names they need; 0 until they are asked for. */
  uint32_t enter;
  uint32_t leave;
  uint32_t unwind;
  uint32_t stack_map_table;
  /* Classes by hash of name: where the name is, and the constant; in the file, or in what is added. */
  struct class_slot *classes;
  uint32_t class_room;
};

bool pool_open(struct pool *pool, const struct class_file *file);
void pool_close(struct pool *pool);

/* Constants; 0 if there is no room for more. */
uint32_t class_constant(struct pool *pool, const uint8_t *name, uint32_t length);
uint32_t integer_constant(struct pool *pool, int32_t value);
bool add_probe_constants(struct pool *pool);

#endif
