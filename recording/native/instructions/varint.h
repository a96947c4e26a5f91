#ifndef KYMO_INSTRUCTIONS_VARINT_H
#define KYMO_INSTRUCTIONS_VARINT_H

#include <stdint.h>

static inline uint8_t *varint(uint8_t *to, uint64_t value) {
  while (value >= 0x80) {
    *to++ = (uint8_t) (value | 0x80);
    value >>= 7;
  }
  *to++ = (uint8_t) value;
  return to;
}

static inline uint8_t *signed_varint(uint8_t *to, int64_t value) {
  return varint(to, (uint64_t) value << 1 ^ (uint64_t) (value >> 63));
}

#endif
