/* Definitions say what the numbers in records mean (DefinitionCodec of format/). Any thread may write them, and waits
 * for room, because an event without its definition is of little use. */
#ifndef KYMO_DEFINITIONS_H
#define KYMO_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/* Makes the ring of definitions; false with errno if there is no memory for it. */
bool ky_definitions_open(struct process *process);

/* Begins the next definition; other threads wait until it is put. Within a guard. */
struct definition *ky_definition_begin(struct process *process, uint32_t id);
void ky_definition_u32(struct definition *definition, uint32_t value);
void ky_definition_u64(struct definition *definition, uint64_t value);

/* Strings longer than DEFINITION_MAX_STRING are cut; zero bytes become DEFINITION_BETWEEN. */
void ky_definition_bytes(struct definition *definition, const char *text, uint32_t length);
void ky_definition_string(struct definition *definition, const char *text);

/* Commits the definition, or drops it if the recording is over. Within a guard. */
void ky_definition_put(struct process *process, struct definition *definition);

/* Writes a notice about this process into the recording. Within a guard. */
void ky_notice(struct process *process, const char *text);

#endif
