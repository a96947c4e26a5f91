/* The constants of a class file, and those that probes add. */
#ifndef KYMO_AGENT_POOL_H
#define KYMO_AGENT_POOL_H

#include "classfile.h"
#include "output.h"

struct pool {
  const struct class_file *file;
  /* The bytes of the added constants. */
  struct output added;
  uint32_t count;
  /* The methods that probes call, and the names that they need; 0 until they are added. */
  uint32_t enter;
  uint32_t leave;
  uint32_t unwind;
  uint32_t stack_map_table;
  /* Classes by the hash of their name. */
  struct class_slot *classes;
  uint32_t class_room;
};

bool pool_open(struct pool *pool, const struct class_file *file);
void pool_close(struct pool *pool);

/* The number of a constant, which is added if need be; 0 if there is no room. */
uint32_t class_constant(struct pool *pool, const uint8_t *name, uint32_t length);
uint32_t integer_constant(struct pool *pool, int32_t value);
bool add_probe_constants(struct pool *pool);

#endif
