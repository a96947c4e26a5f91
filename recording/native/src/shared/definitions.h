/* What the numbers in records mean: DefinitionCodec of format/. Any thread may write them; each waits
 * for room, because an event without its definition is worth little. */
#ifndef KYMO_DEFINITIONS_H
#define KYMO_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "guest.h"
#include "layout.h"

struct process;

/* A definition being written. */
struct definition {
  uint32_t size;
  uint8_t bytes[DEFINITION_MAX_SIZE];
};

struct definition_stream {
  struct lock lock;
  uint8_t *memory;
  uint64_t packet;
  uint32_t used; /* bytes of the open packet; 0: none is open */
  uint32_t there; /* bytes of all sub-buffers, from the first one's begin, that have memory */
  struct definition next; /* here, because a thread's stack may be small */
};

/* Makes the ring of definitions; false with errno if there is no memory for it. */
bool ky_definitions_open(struct process *process);

/* Begins the next definition, within a guard; others wait until it is put. */
struct definition *ky_definition_begin(struct process *process, uint32_t id);
void ky_definition_u32(struct definition *definition, uint32_t value);
void ky_definition_u64(struct definition *definition, uint64_t value);

/* Longer strings are cut, zero bytes within them become blanks. */
void ky_definition_bytes(struct definition *definition, const char *text, uint32_t length);
void ky_definition_string(struct definition *definition, const char *text);

/* Commits it, or drops it when the recording is over; within a guard. */
void ky_definition_put(struct process *process, struct definition *definition);

#endif
