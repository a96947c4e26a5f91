/* Header and context of a packet (PacketLayout of format/). */
#ifndef KYMO_PACKET_H
#define KYMO_PACKET_H

#include <stdint.h>
#include <string.h>

#include "layout.h"

/* Writes the fields that change from packet to packet of a stream. */
static inline void packet_begin(
    uint8_t *at, uint64_t clock, uint64_t lost, uint64_t sequence, uint32_t thread) {
  store64_relaxed(at + PACKET_BEGIN, clock);
  store64_relaxed(at + PACKET_LOST, lost);
  store64_relaxed(at + PACKET_SEQUENCE, sequence);
  memcpy(at + PACKET_THREAD, &thread, sizeof thread);
}

/* Writes the fields that are known when a packet is closed; the size is in bytes and includes the header. */
static inline void packet_close(uint8_t *at, uint64_t clock, uint32_t size) {
  store64_relaxed(at + PACKET_END, clock);
  store64_relaxed(at + PACKET_CONTENT_SIZE, (uint64_t) size * 8);
  store64_relaxed(at + PACKET_SIZE, (uint64_t) size * 8);
}

/* Everything that the laying out of a ring in zeroed memory depends on. */
struct ring_shape {
  const uint8_t *uuid;
  uint32_t stream_class;
  uint32_t process;
  uint32_t ring;
  uint32_t sub_buffer_size;
  uint32_t sub_buffers;
  uint32_t when_full;
};

/* Writes the fields that all packets of a sub-buffer have in common, before its first packet. */
static inline void packet_lay(uint8_t *at, const struct ring_shape *shape) {
  store32_relaxed(at + PACKET_MAGIC, PACKET_MAGIC_VALUE);
  memcpy(at + PACKET_UUID, shape->uuid, 16);
  store32_relaxed(at + PACKET_STREAM_CLASS, shape->stream_class);
  store64_relaxed(at + PACKET_STREAM_INSTANCE, (uint64_t) shape->process << 32 | shape->ring);
  store32_relaxed(at + PACKET_PROCESS, shape->process);
}

/* Writes the ring's header. */
static inline void ring_lay(uint8_t *memory, const struct ring_shape *shape) {
  store32_relaxed(memory + RING_SUB_BUFFER_SIZE, shape->sub_buffer_size);
  store32_relaxed(memory + RING_SUB_BUFFERS, shape->sub_buffers);
  store32_relaxed(memory + RING_STREAM_CLASS, shape->stream_class);
  store32_relaxed(memory + RING_NUMBER, shape->ring);
  store32_relaxed(memory + RING_PROCESS, shape->process);
  store32_relaxed(memory + RING_WHEN_FULL, shape->when_full);
  store64_release(memory + RING_MAGIC, RING_MAGIC_VALUE);
}

#endif
