#include "definitions.h"

#include <string.h>

#include "base/guest.h"
#include "base/layout.h"
#include "base/packet.h"
#include "recorder.h"

enum { SUB_BUFFER_SIZE = 32 * 1024, SUB_BUFFERS = 8 };

_Static_assert(DEFINITION_MAX_SIZE + PACKET_HEADER_SIZE < SUB_BUFFER_SIZE, "a definition fits a packet");

static struct ring_shape shape_of(const struct process *process) {
  return (struct ring_shape) {process->session->uuid, STREAM_DEFINITIONS, process->number, 0,
      SUB_BUFFER_SIZE, SUB_BUFFERS, WHEN_FULL_BLOCK};
}

bool ky_definitions_open(struct process *process) {
  size_t length = strlen(process->home) + 16; /* a thread's stack may be small */
  char file[length];
  ky_path(file, process->home, "/ring-", 0);
  uint8_t *memory = ky_shared_memory(
      file, RING_HEADER_SIZE + SUB_BUFFER_SIZE * SUB_BUFFERS, RING_HEADER_SIZE + PAGE);
  if (memory == NULL) {
    return false;
  }
  struct ring_shape shape = shape_of(process);
  ring_lay(memory, &shape);
  process->definitions.there = PAGE;
  process->definitions.memory = memory;
  store32_relaxed(process->control + CONTROL_RINGS, 1);
  return true;
}

struct definition *ky_definition_begin(struct process *process, uint32_t id) {
  struct definition *definition = &process->definitions.next;
  ky_lock(&process->definitions.lock, DEFINITIONS_LOCK);
  definition->bytes[0] = RECORD_EXTENDED;
  definition->size = 1;
  ky_definition_u32(definition, id);
  ky_definition_u64(definition, 0); /* the clock is read when the definition is put */
  return definition;
}

void ky_definition_u32(struct definition *definition, uint32_t value) {
  memcpy(definition->bytes + definition->size, &value, sizeof value);
  definition->size += (uint32_t) sizeof value;
}

void ky_definition_u64(struct definition *definition, uint64_t value) {
  memcpy(definition->bytes + definition->size, &value, sizeof value);
  definition->size += (uint32_t) sizeof value;
}

void ky_definition_bytes(struct definition *definition, const char *text, uint32_t length) {
  uint32_t kept = length > DEFINITION_MAX_STRING ? DEFINITION_MAX_STRING : length;
  while (kept < length && kept > 0 && ((uint8_t) text[kept] & 0xC0) == 0x80) {
    kept--; /* never cuts a character */
  }
  for (uint32_t i = 0; i < kept; i++) {
    definition->bytes[definition->size++] = text[i] == 0 ? DEFINITION_BETWEEN : (uint8_t) text[i];
  }
  definition->bytes[definition->size++] = 0;
}

void ky_definition_string(struct definition *definition, const char *text) {
  ky_definition_bytes(definition, text, (uint32_t) strnlen(text, DEFINITION_MAX_STRING + 4));
}

/* Ensures that `bytes` bytes of a sub-buffer have memory; false if there is none. Most short processes need only the
 * first page of the first sub-buffer. */
static bool is_there(struct process *process, uint32_t sub_buffer, uint32_t bytes) {
  struct definition_stream *stream = &process->definitions;
  uint32_t begin = sub_buffer * SUB_BUFFER_SIZE;
  if (begin + bytes <= stream->there) {
    return true;
  }
  uint32_t end = begin + SUB_BUFFER_SIZE;
  if (!ky_take_pages(stream->memory + RING_HEADER_SIZE + stream->there, end - stream->there)) {
    ky_say_no_memory(process, "definitions, some names are missing", end - stream->there);
    return false;
  }
  stream->there = end;
  return true;
}

/* Finds room; NULL if the recording ends during the wait, or there is no memory. */
static uint8_t *packet_for(struct process *process, uint32_t size, uint64_t now) {
  struct definition_stream *stream = &process->definitions;
  if (stream->used > 0 && stream->used + size >= SUB_BUFFER_SIZE) {
    stream->used = 0;
    stream->packet++;
    ring_position_release(stream->memory, stream->packet * SUB_BUFFER_SIZE);
  }
  uint32_t sub_buffer = (uint32_t) (stream->packet % SUB_BUFFERS);
  if (!is_there(process, sub_buffer, (stream->used == 0 ? PACKET_HEADER_SIZE : stream->used) + size)) {
    return NULL;
  }
  uint8_t *at = stream->memory + RING_HEADER_SIZE + sub_buffer * SUB_BUFFER_SIZE;
  if (stream->used == 0) {
    /* A larger difference cannot come from the recorder, and the wait would never end. */
    while (stream->packet - ring_taken_acquire(stream->memory) == SUB_BUFFERS) {
      if (!ky_await_recorder(process)) {
        return NULL;
      }
    }
    if (stream->packet < SUB_BUFFERS) {
      struct ring_shape shape = shape_of(process);
      packet_lay(at, &shape);
    }
    packet_begin(at, now, 0, stream->packet, 0);
    stream->used = PACKET_HEADER_SIZE;
  }
  return at;
}

void ky_definition_put(struct process *process, struct definition *definition) {
  struct definition_stream *stream = &process->definitions;
  uint64_t now = ky_clock(process);
  now = now > stream->last ? now : stream->last + 1; /* no two have the same: a slow clock stands still between them */
  stream->last = now;
  memcpy(definition->bytes + 5, &now, sizeof now);
  uint8_t *at = packet_for(process, definition->size, now);
  if (at != NULL) {
    memcpy(at + stream->used, definition->bytes, definition->size);
    stream->used += definition->size;
    packet_close(at, now, stream->used); /* always closed, so the recorder need not understand it */
    ring_position_release(stream->memory, stream->packet * SUB_BUFFER_SIZE + stream->used);
  }
  ky_unlock(&stream->lock, DEFINITIONS_LOCK);
}

void ky_notice(struct process *process, const char *text) {
  struct definition *definition = ky_definition_begin(process, DEFINITION_NOTICE);
  ky_definition_u32(definition, process->number);
  ky_definition_string(definition, text);
  ky_definition_put(process, definition);
}
