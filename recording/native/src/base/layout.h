/* The bytes that this library shares with the recorder. Classes of format/ draw them; each list below begins with
 * the name of its class. A constant PREFIX_NAME here is NAME, NAME_OFFSET or PREFIX_NAME_OFFSET there, with the same
 * number; only RING_NUMBER is RING_OFFSET there, COUNTER_SIZE is BLOCK_SIZE, and PREFIX_MAGIC_VALUE is MAGIC.
 *
 * A field's comment says who writes it and who reads it, and with which ordering. "Process" is any thread of this
 * process. Without a comment: written while the memory is made, with relaxed stores, before the magic number is
 * stored with release; readers load the magic number with acquire first. */
#ifndef KYMO_LAYOUT_H
#define KYMO_LAYOUT_H

#include <stdint.h>

/* ControlLayout */
enum {
  CONTROL_MAGIC = 0, /* process: release; recorder: plain */
  CONTROL_PID = 8,
  CONTROL_PROCESS = 12,
  CONTROL_BEGUN_BY = 16,
  CONTROL_RINGS = 24, /* process: relaxed, under the registry's lock; recorder: plain */
  CONTROL_STATE = 28, /* process: relaxed; recorder: plain */
  CONTROL_LOST = 32, /* process: relaxed addition; recorder: plain */
  CONTROL_SNAPSHOTS = 40, /* process: addition with acquire and release; recorder: plain */
  CONTROL_FLUSHES = 44, /* process: addition with acquire and release; recorder: plain */
  CONTROL_OWNER_ASKED = 48, /* process: release; recorder: plain */
  CONTROL_STOP = 64, /* recorder: plain; process: acquire */
  CONTROL_HEARTBEAT = 72, /* recorder: plain; process: acquire */
  CONTROL_FLUSHED = 80, /* recorder: plain; process: acquire */
  CONTROL_OWNER_DONE = 84, /* recorder: plain; process: acquire */
  CONTROL_SIZE = 4096
};
enum { STATE_RUNNING = 1, STATE_ENDED = 2 };
#define OWNER_REFUSED UINT32_MAX
#define CONTROL_MAGIC_VALUE UINT64_C(0x4C5254434F4D594B)

/* MailboxLayout */
enum {
  MAILBOX_MAGIC = 0,
  MAILBOX_BELL = 8, /* client and process: addition; housekeeper: acquire; a futex */
  MAILBOX_REQUESTS = 12, /* client: release; housekeeper: acquire */
  MAILBOX_FROM = 16, /* client, before the request; housekeeper, after it */
  MAILBOX_LINE_SIZE = 20, /* likewise */
  MAILBOX_ACCEPTED = 24, /* housekeeper: release; client: acquire */
  MAILBOX_ANSWERS = 28, /* housekeeper: release; client: acquire */
  MAILBOX_NEXT = 32, /* housekeeper, before the answer; client, after it */
  MAILBOX_ANSWER_SIZE = 36, /* likewise */
  MAILBOX_LINE = 64, /* client, before the request; housekeeper, after it */
  MAILBOX_ANSWER = 4096, /* housekeeper, before the answer; client, after it */
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
  RING_POSITION = 64, /* owner: release; recorder: acquire */
  RING_LOST = 72, /* owner: release; recorder: plain */
  RING_TAKEN = 128, /* recorder: release; owner: acquire */
  RING_HEADER_SIZE = 4096
};
enum { WHEN_FULL_DISCARD = 0, WHEN_FULL_BLOCK = 1, WHEN_FULL_OVERWRITE = 2 };
#define RING_MAGIC_VALUE UINT64_C(0x474E49524F4D594B)

/* CountersLayout */
enum {
  COUNTERS_MAGIC = 0,
  COUNTERS_BLOCKS = 8, /* process: release, under the counters' lock; recorder: acquire */
  COUNTERS_HEADER_SIZE = 4096,
  COUNTER_STATE = 0, /* owner: release; recorder: acquire, and it frees a retired block with release */
  COUNTER_THREAD = 4,
  COUNTER_METHOD = 8,
  COUNTER_MODE = 12,
  COUNTER_CALLS = 16, /* owner: one instruction an addition; recorder: plain; budget: acquire */
  COUNTER_TIMED = 24, /* likewise; the recorder reads it before all others, then has an acquire fence */
  COUNTER_TICKS = 32, /* like the calls */
  COUNTER_DURATIONS = 40, /* likewise */
  COUNTER_MAX = 48, /* likewise */
  COUNTER_RUNNING = 56, /* likewise */
  COUNTER_HISTOGRAM = 60, /* likewise */
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
enum {
  RECORD_EXTENDED = 255,
  COMPACT_SIZE = 8,
  COMPACT_CLOCK_SHIFT = 8,
  EXTENDED_SIZE = 16
};
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
/* Definition.MethodMode */
enum {
  MODE_EVENTS = 1,
  MODE_TIMED = 2,
  MODE_SAMPLED = 3
};

/* Definition.TracedThread */
enum {
  THREAD_PLATFORM = 0,
  THREAD_VIRTUAL = 1,
  THREAD_STATES = 2
};

/* The largest string is the same in Java; this library writes definitions with at most four strings. */
enum { DEFINITION_MAX_STRING = 4096, DEFINITION_MAX_SIZE = 4 * (DEFINITION_MAX_STRING + 1) + 128 };

/* Between the words of a command line, which can have blanks in them: the recorder looks at each word, and takes it out. */
enum { DEFINITION_BETWEEN = 0x1f };

/* Accesses to shared memory, named for their ordering. Every field lies on a multiple of its size; both sides
 * are little-endian. */
static inline uint32_t load32_acquire(const uint8_t *at) {
  return __atomic_load_n((const uint32_t *) (const void *) at, __ATOMIC_ACQUIRE);
}

static inline uint64_t load64_acquire(const uint8_t *at) {
  return __atomic_load_n((const uint64_t *) (const void *) at, __ATOMIC_ACQUIRE);
}

static inline void store32_relaxed(uint8_t *at, uint32_t value) {
  __atomic_store_n((uint32_t *) (void *) at, value, __ATOMIC_RELAXED);
}

static inline void store64_relaxed(uint8_t *at, uint64_t value) {
  __atomic_store_n((uint64_t *) (void *) at, value, __ATOMIC_RELAXED);
}

/* Whoever loads this value also sees everything that was stored before it. */
static inline void store32_release(uint8_t *at, uint32_t value) {
  __atomic_store_n((uint32_t *) (void *) at, value, __ATOMIC_RELEASE);
}

static inline void store64_release(uint8_t *at, uint64_t value) {
  __atomic_store_n((uint64_t *) (void *) at, value, __ATOMIC_RELEASE);
}

/* The commit: everything below the position is in the recording, whatever happens to this process. */
static inline void ring_position_release(uint8_t *memory, uint64_t position) {
  store64_release(memory + RING_POSITION, position);
}

/* How far the recorder has read: sub-buffers before this one may be written again. */
static inline uint64_t ring_taken_acquire(const uint8_t *memory) {
  return load64_acquire(memory + RING_TAKEN);
}

static inline void ring_lost_release(uint8_t *memory, uint64_t lost) {
  store64_release(memory + RING_LOST, lost);
}

/* What a recorder writes into a process that runs already: see OfferLayout. */
#define OFFER_MAGIC \
  { 'K', 'Y', 'M', 'O', '-', 'O', 'F', 'F', 'E', 'R', '-', '0', '0', '0', '0', '1' }
enum { OFFER_STATE = 48, OFFER_DIRECTORY = 56, OFFER_MADE = 1, OFFER_TAKEN = 2 };

#endif
