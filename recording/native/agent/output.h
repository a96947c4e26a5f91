/* A growing sequence of bytes. */
#ifndef KYMO_AGENT_OUTPUT_H
#define KYMO_AGENT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

/* When there is no memory left, it accepts nothing more and is bad from then on. */
struct output {
  uint8_t *bytes;
  uint32_t size;
  uint32_t room;
  bool bad;
};

void put1(struct output *out, uint32_t value);
void put2(struct output *out, uint32_t value);
void put4(struct output *out, uint32_t value);
void put_bytes(struct output *out, const void *bytes, uint32_t count);
void put_text(struct output *out, const char *text);
/* Overwrite bytes that were written before. */
void set2(struct output *out, uint32_t at, uint32_t value);
void set4(struct output *out, uint32_t at, uint32_t value);
void output_close(struct output *out);

#endif
