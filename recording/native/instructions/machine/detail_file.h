#ifndef KYMO_INSTRUCTIONS_DETAIL_FILE_H
#define KYMO_INSTRUCTIONS_DETAIL_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "../trace.h"

/*
 * What a replay adds to a recording: a file of chunks, each of which can be read without those before it. While it is
 * written it has the name of a thread of process 1.
 */
struct detail_file {
  struct trace trace;
  uint32_t position;
  uint32_t count; /* of records */
  uint64_t first; /* clock of the first record */
  uint64_t last;
  uint8_t records[CHUNK_RECORDS];
};

/* The numbers under which they are written. */
enum { DETAIL_REGISTERS = 1, DETAIL_MEMORY = 2, DETAIL_DATA = 3 };

/* Room for a record. When it is the first one of its chunk, what records differ from has to be forgotten. */
uint8_t *ky_begin_detail(struct detail_file *file, uint64_t clock, uint32_t bound, bool *first);

/* The record ends here. */
void ky_end_detail(struct detail_file *file, uint64_t clock, const uint8_t *end);

/* Hands over what is left. */
void ky_close_details(struct detail_file *file);

#endif
