/* The bytes that this library shares with the recorder; drawn in the classes of format/ that bear the
 * same names. */
#ifndef KYMO_LAYOUT_H
#define KYMO_LAYOUT_H

#include <stdint.h>

/* ControlLayout */
enum {
  CONTROL_MAGIC = 0,
  CONTROL_PID = 8,
  CONTROL_PROCESS = 12,
  CONTROL_BEGUN_BY = 16,
  CONTROL_RINGS = 24,
  CONTROL_STATE = 28,
  CONTROL_LOST = 32,
  CONTROL_SNAPSHOTS = 40,
  CONTROL_FLUSHES = 44,
  CONTROL_OWNER_ASKED = 48,
  CONTROL_STOP = 64,
  CONTROL_HEARTBEAT = 72,
  CONTROL_FLUSHED = 80,
  CONTROL_OWNER_DONE = 84,
  CONTROL_SIZE = 4096
};
enum { STATE_RUNNING = 1, STATE_ENDED = 2 };
#define OWNER_REFUSED UINT32_MAX
#define CONTROL_MAGIC_VALUE UINT64_C(0x4C5254434F4D594B)

/* MailboxLayout */
enum {
  MAILBOX_MAGIC = 0,
  MAILBOX_BELL = 8,
  MAILBOX_REQUESTS = 12,
  MAILBOX_FROM = 16,
  MAILBOX_LINE_SIZE = 20,
  MAILBOX_ACCEPTED = 24,
  MAILBOX_ANSWERS = 28,
  MAILBOX_NEXT = 32,
  MAILBOX_ANSWER_SIZE = 36,
  MAILBOX_LINE = 64,
  MAILBOX_ANSWER = 4096,
  MAILBOX_SIZE = 16384
};
#define MAILBOX_MAGIC_VALUE UINT64_C(0x4C49414D4F4D594B)

/* RingLayout */
enum {
  RING_MAGIC = 0,
  RING_SUB_BUFFER_SIZE = 8,
  RING_SUB_BUFFERS = 12,
  RING_STREAM_CLASS = 16,
  RING_NUMBER = 20,
  RING_PROCESS = 24,
  RING_WHEN_FULL = 28,
  RING_POSITION = 64,
  RING_LOST = 72,
  RING_TAKEN = 128,
  RING_HEADER_SIZE = 4096
};
enum { WHEN_FULL_DISCARD = 0, WHEN_FULL_BLOCK = 1, WHEN_FULL_OVERWRITE = 2 };
#define RING_MAGIC_VALUE UINT64_C(0x474E49524F4D594B)

/* CountersLayout */
enum {
  COUNTERS_MAGIC = 0,
  COUNTERS_BLOCKS = 8,
  COUNTERS_HEADER_SIZE = 4096,
  COUNTER_STATE = 0,
  COUNTER_THREAD = 4,
  COUNTER_METHOD = 8,
  COUNTER_MODE = 12,
  COUNTER_CALLS = 16,
  COUNTER_TIMED = 24,
  COUNTER_TICKS = 32,
  COUNTER_DURATIONS = 40,
  COUNTER_MAX = 48,
  COUNTER_RUNNING = 56,
  COUNTER_HISTOGRAM = 60,
  COUNTER_BUCKETS = 49,
  COUNTER_SIZE = 320
};
enum { COUNTER_FREE = 0, COUNTER_USED = 1, COUNTER_RETIRED = 2 };
#define COUNTERS_MAGIC_VALUE UINT64_C(0x53544E434F4D594B)

/* PacketLayout */
enum {
  PACKET_MAGIC = 0,
  PACKET_UUID = 4,
  PACKET_STREAM_CLASS = 20,
  PACKET_STREAM_INSTANCE = 24,
  PACKET_BEGIN = 32,
  PACKET_END = 40,
  PACKET_CONTENT_SIZE = 48,
  PACKET_SIZE = 56,
  PACKET_LOST = 64,
  PACKET_SEQUENCE = 72,
  PACKET_PROCESS = 80,
  PACKET_THREAD = 84,
  PACKET_HEADER_SIZE = 88
};
#define PACKET_MAGIC_VALUE UINT32_C(0xC1FC1FC1)

/* StreamClass */
enum { STREAM_DEFINITIONS = 0, STREAM_THREADS = 1 };

/* ThreadRecord */
enum {
  RECORD_ENTER = 0,
  RECORD_LEAVE = 1,
  RECORD_UNWIND = 2,
  RECORD_SWITCH = 3,
  RECORD_DETAIL = 4,
  RECORD_EVENT = 5,
  RECORD_EVENT_DATA = 6
};
enum { RECORD_EXTENDED = 255, COMPACT_SIZE = 8, COMPACT_CLOCK_SHIFT = 8, EXTENDED_SIZE = 16 };
#define MAX_PAYLOAD UINT32_C(0xFFFFFF)

static inline uint64_t compact(uint32_t id, uint64_t clock, uint32_t payload) {
  return (uint64_t) payload << 40 | (clock & UINT32_MAX) << COMPACT_CLOCK_SHIFT | id;
}

static inline uint64_t extended_first(uint32_t id, uint64_t clock) {
  return RECORD_EXTENDED | (uint64_t) id << 8 | clock << 40;
}

static inline uint64_t extended_second(uint64_t clock, uint32_t payload) {
  return clock >> 24 | (uint64_t) payload << 40;
}

/* Bytes that data take in a record. */
static inline uint32_t data_size(uint32_t length) {
  return (length + 7) & ~UINT32_C(7);
}

static inline uint64_t data_header(uint32_t length) {
  return length | (uint64_t) data_size(length) << 32;
}

/* DefinitionCodec */
enum {
  DEFINITION_PROCESS = 1,
  DEFINITION_THREAD = 2,
  DEFINITION_TYPE = 3,
  DEFINITION_METHOD = 4,
  DEFINITION_CLOCK_PAIR = 5,
  DEFINITION_NOTICE = 7,
  DEFINITION_METHOD_MODE = 9,
  DEFINITION_SUBSYSTEM = 12,
  DEFINITION_EVENT = 13,
  DEFINITION_PLACE = 14
};
enum { MODE_EVENTS = 1, MODE_TIMED = 2, MODE_SAMPLED = 3 };
enum { THREAD_PLATFORM = 0, THREAD_VIRTUAL = 1, THREAD_STATES = 2 };
enum { DEFINITION_MAX_STRING = 4096, DEFINITION_MAX_SIZE = 4 * (DEFINITION_MAX_STRING + 1) + 128 };

/* Shared memory has no alignment trouble, and no type. */
static inline uint32_t load32(const uint8_t *at) {
  return __atomic_load_n((const uint32_t *) (const void *) at, __ATOMIC_ACQUIRE);
}

static inline uint64_t load64(const uint8_t *at) {
  return __atomic_load_n((const uint64_t *) (const void *) at, __ATOMIC_ACQUIRE);
}

static inline void store32(uint8_t *at, uint32_t value) {
  __atomic_store_n((uint32_t *) (void *) at, value, __ATOMIC_RELAXED);
}

/* As release64 below. */
static inline void release32(uint8_t *at, uint32_t value) {
  __atomic_store_n((uint32_t *) (void *) at, value, __ATOMIC_RELEASE);
}

static inline void store64(uint8_t *at, uint64_t value) {
  __atomic_store_n((uint64_t *) (void *) at, value, __ATOMIC_RELAXED);
}

/* What was stored before is seen by whoever sees this. */
static inline void release64(uint8_t *at, uint64_t value) {
  __atomic_store_n((uint64_t *) (void *) at, value, __ATOMIC_RELEASE);
}

/* What a recorder writes into a process that runs already: see OfferLayout. */
#define OFFER_MAGIC \
  { 'K', 'Y', 'M', 'O', '-', 'O', 'F', 'F', 'E', 'R', '-', '0', '0', '0', '0', '1' }
enum { OFFER_STATE = 48, OFFER_DIRECTORY = 56, OFFER_MADE = 1, OFFER_TAKEN = 2 };

#endif
