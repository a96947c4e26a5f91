#include "detail_file.h"

static void hand_over(struct detail_file *file) {
  struct chunk head = {
    .magic = CHUNK_MAGIC,
    .length = file->position,
    .stored = file->position,
    .begin = file->first,
    .end = file->last + 1,
    .blocks = file->count,
  };
  if (file->count > 0 && ky_hand_over(&file->trace, &head, file->records)) {
    file->trace.chunks++;
  }
  file->position = 0;
  file->count = 0;
}

uint8_t *ky_begin_detail(struct detail_file *file, uint64_t clock, uint32_t bound, bool *first) {
  /* Chunks have no clock in common. */
  if (file->position + bound > CHUNK_RECORDS && clock > file->last) {
    hand_over(file);
  }
  *first = file->count == 0;
  if (*first) {
    file->first = clock;
    file->last = clock;
  }
  return file->records + file->position;
}

void ky_end_detail(struct detail_file *file, uint64_t clock, const uint8_t *end) {
  file->position = (uint32_t) (end - file->records);
  file->last = clock;
  file->count++;
}

void ky_close_details(struct detail_file *file) {
  hand_over(file);
}
