/*
 * User events in C and C++.
 *
 * A program that is linked with -lkymo is recorded when `kymo record -- PROGRAM` starts it. Otherwise each of these
 * functions returns at once. Every function may be called from any thread; signal handlers may call all of them
 * except kymo_init, kymo_done and kymo_flush. No function changes errno.
 *
 * A function reports an error only where its comment says so. What cannot be recorded is lost and counted, and
 * `kymo info` shows the count. The first occurrence of some errors is explained in a line on standard error.
 *
 * `kymo events compile FILE --c` writes functions for events that are defined in a file. They use the second half of
 * this header; include this header before theirs.
 */
#ifndef KYMO_H
#define KYMO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KYMO_API __attribute__((visibility("default")))

/** Marks a function that is not recorded in a program built with -finstrument-functions. */
#define KYMO_NOT_RECORDED __attribute__((no_instrument_function))

/* ---- Events without definitions: the program chooses names at run time ----
 *
 * The name "cache/miss" stands for the event `miss` of the subsystem `cache`; an event without a slash in its name
 * belongs to the subsystem `app`. Names are copied, and NULL records nothing. A process has at most KYMO_MOST_EVENTS
 * events. */

/** Records that something happens now. */
KYMO_API void kymo_instant(const char *name);

/**
 * Records the value of a counter.
 *
 * @param value in a unit of the program's choice
 */
KYMO_API void kymo_counter(const char *name, int64_t value);

/**
 * Records that a message leaves this thread.
 *
 * @param channel name; only messages of the same channel are matched
 * @param key identifies the message among those of the channel that are on their way
 */
KYMO_API void kymo_send(const char *channel, uint64_t key);

/** Records that the message with this channel and key has arrived at this thread. */
KYMO_API void kymo_receive(const char *channel, uint64_t key);

/**
 * Names a mutex, a condition variable or another object of the thread library. The name is shown where threads waited
 * for the object (`kymo record --threads`).
 *
 * @param object its address; NULL does nothing
 * @param name is copied, at most 1024 bytes of it; empty or NULL removes the name, for example before the memory is
 *     used for something else
 */
KYMO_API void kymo_name(const void *object, const char *name);

/* ---- The recording ---- */

/** What a program says about kernel events. Whether they are recorded is decided by `kymo record --kernel`. */
enum {
  /** Without kernel events this process is not recorded; a line on standard error says so. */
  KYMO_NEED_KERNEL = 1,
  /** Without kernel events this process is recorded; a notice in the recording says that they are missing. */
  KYMO_WANT_KERNEL = 2,
  /** The program does not ask for kernel events. If they are recorded, those of this process are, too. */
  KYMO_NO_KERNEL = 4
};

/**
 * Joins the recording and says what this process is called in it. A program is recorded without this call, too. After
 * kymo_done the process joins again, as a new process of the recording.
 *
 * @param flags KYMO_NEED_KERNEL, KYMO_WANT_KERNEL, both, KYMO_NO_KERNEL alone, or 0 for KYMO_NO_KERNEL. A process that
 *     needs kernel events which are not recorded leaves the recording; what was recorded before stays.
 * @param name shown instead of the command line; NULL: the command line is shown
 * @return 1 if this process is recorded, 0 if it is not, -1 if the flags are not valid
 */
KYMO_API int kymo_init(int flags, const char *name);

/** Continues recording after kymo_stop. */
KYMO_API void kymo_start(void);

/** Stops recording this process until kymo_start. */
KYMO_API void kymo_stop(void);

/** Waits until everything recorded so far is in the recording's files; takes about 10 ms. */
KYMO_API void kymo_flush(void);

/** Ends the recording of this process; what was recorded stays. */
KYMO_API void kymo_done(void);

/**
 * Sets two functions that each thread calls before its first event. They run on that thread with all signals blocked;
 * events that they record are lost. A thread that has recorded before does not call them.
 *
 * @param number returns the program's own number of the thread, which is shown after its name ("worker 17"); NULL: the
 *     program has none
 * @param buffer returns the least size of the thread's ring in bytes, rounded up to a power of two from 128 KiB to
 *     1 GiB; 0, or NULL instead of the function: the size that `kymo record` has chosen. If there is no memory for the
 *     ring, the thread's events are lost and counted.
 */
KYMO_API void kymo_thread_functions(uint32_t (*number)(void), size_t (*buffer)(void));

/* ---- Events with definitions; generated functions use them ---- */

/** Kinds of events. */
enum {
  /** Something happens at one moment. */
  KYMO_INSTANT = 0,
  /** Something begins; recorded by kymo_enter_event. */
  KYMO_BEGIN = 1,
  /** What an event of kind KYMO_BEGIN began ends; recorded by kymo_leave_event. */
  KYMO_END = 2,
  /** A counter has a new value; the value is the only field. */
  KYMO_COUNTER = 3,
  /** A message leaves; the first field is its key. */
  KYMO_SEND = 4,
  /** The message with the same key, sent by an event of the same subsystem, has arrived. */
  KYMO_RECEIVE = 5
};

/** Maximum number of events that a process may define; further events are not recorded. */
#define KYMO_MOST_EVENTS 65536u

/** Maximum size of an event's data in bytes. */
#define KYMO_MOST_DATA 65536u

/**
 * Defines an event. Defining the same event again returns the same number. All texts are copied; NULL stands for an
 * empty text.
 *
 * @param subsystem name of the event's subsystem
 * @param subsystem_id number of the subsystem in definition files, 0 to 65535
 * @param category what the subsystem is about; may be empty
 * @param color of the subsystem, "#rrggbb" or empty
 * @param id number of the event in definition files, 0 to 65535
 * @param name of the event
 * @param kind KYMO_INSTANT, ...
 * @param begin for KYMO_END: name of the event of the same subsystem that began what this event ends; otherwise empty
 * @param description may be empty
 * @param fields of its data, in order: "u64 size; str owner;"; may be empty
 * @return the event's number in this process; 0 while nothing is recorded (then define it again later), or if there
 *     are too many events
 */
KYMO_API uint32_t kymo_event_define(const char *subsystem, uint16_t subsystem_id,
    const char *category, const char *color, uint16_t id, const char *name, int kind,
    const char *begin, const char *description, const char *fields);

/** Returns 1 if events with this number are recorded now, otherwise 0. */
KYMO_API int kymo_event_on(uint32_t number);

/**
 * Records an event that has no field, or one field of at most 8 bytes that is a number.
 *
 * @param number as kymo_event_define returned it; 0 does nothing
 * @param argument the bits of the field; 0 if there is none
 */
KYMO_API void kymo_event(uint32_t number, uint64_t argument);

/**
 * Records an event with any data.
 *
 * @param number as kymo_event_define returned it; 0 does nothing
 * @param data its fields in order, little-endian, without gaps; a text or a sequence of bytes follows its length,
 *     which has 16 bits
 * @param size of the data in bytes; an event with more than KYMO_MOST_DATA bytes is lost and counted, and its data is
 *     not read
 */
KYMO_API void kymo_event_data(uint32_t number, const void *data, size_t size);

/**
 * Reserves room in the recording for an event's data, which the program then writes there in the form that
 * kymo_event_data describes. The event's time is now; it is in the recording when kymo_record_end has returned.
 *
 * Until then the thread writes no other record. Events of signal handlers, and of functions that the thread calls,
 * are kept and follow the record; there is room for about 60 of them, and further ones are lost and counted. A second
 * begin before the end, also in a signal handler, drops the first record and counts it as lost. A child that is made
 * by fork in between has no part in the record.
 *
 * @param number as kymo_event_define returned it; 0 does nothing
 * @param size maximum size of the data in bytes; with more than KYMO_MOST_DATA, or more than a sixteenth of the ring,
 *     the event is lost and counted
 * @return the room, aligned to 8 bytes and not cleared; NULL if nothing is to be recorded
 */
KYMO_API void *kymo_record_begin(uint32_t number, size_t size);

/**
 * Records the event whose data is now complete.
 *
 * @param data what kymo_record_begin returned on this thread; NULL does nothing
 * @param size of the data in bytes; if it is larger than the reserved room, the event is lost and counted
 */
KYMO_API void kymo_record_end(void *data, size_t size);

/** Drops the event instead of recording it; it is not counted as lost. NULL does nothing. */
KYMO_API void kymo_record_drop(void *data);

/** Records an event of kind KYMO_BEGIN: a call begins on this thread. */
KYMO_API void kymo_enter_event(uint32_t number);

/**
 * Records the end of such a call.
 *
 * @param number of the event of kind KYMO_END
 */
KYMO_API void kymo_leave_event(uint32_t number);

/**
 * Where recording of each instruction (kymo record --instructions) begins or ends: KYMO_BEGIN or KYMO_END. It is an
 * instruction without effect, which needs no library.
 */
#if defined(__x86_64__)
#define kymo_instructions(kind) \
  __asm__ volatile(".byte 0x0F, 0x1F, 0x80, %c0, 0x44, 0x54, 0x53" : : "i"(kind) : "memory")
#else
#define kymo_instructions(kind) ((void) (kind))
#endif

/* For the macros below, not for programs: an event that is off costs a load and a comparison. */
KYMO_API extern unsigned char kymo_recording_;
KYMO_API extern unsigned char *kymo_event_states_;

static inline int kymo_event_on_(uint32_t number) {
  uint32_t place = 0xFFFFFFu - number;
  return place < KYMO_MOST_EVENTS && __atomic_load_n(&kymo_event_states_[place], __ATOMIC_RELAXED);
}

#define kymo_event_on(number) kymo_event_on_(number)
#define kymo_event_define(...) \
  (__atomic_load_n(&kymo_recording_, __ATOMIC_RELAXED) ? (kymo_event_define)(__VA_ARGS__) : 0u)

#ifdef __cplusplus
}
#endif

#endif
