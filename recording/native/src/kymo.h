/*
 * Events of a program's own, in C and C++.
 *
 * A program that is linked with -lkymo and started by `kymo record -- PROGRAM` is recorded; started
 * otherwise, each of these functions returns at once. All of them may be called from any thread, and
 * from signal handlers except kymo_init, kymo_done and kymo_flush. None changes errno.
 *
 * Functions for events that are defined in a file are written by `kymo events compile FILE --c`. They
 * use the second half of this header; include it before theirs.
 */
#ifndef KYMO_H
#define KYMO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KYMO_API __attribute__((visibility("default")))

/** A function that is not to be recorded in a program built with -finstrument-functions. */
#define KYMO_NOT_RECORDED __attribute__((no_instrument_function))

/* ---- Programs that define nothing: names may be made up at run time ----
 *
 * A name "cache/miss" is the event `miss` of the subsystem `cache`; one without a slash belongs to
 * `app`. Names are copied; a process has at most KYMO_MOST_EVENTS events. */

/** Something happens. */
KYMO_API void kymo_instant(const char *name);

/** A counter has a new value. */
KYMO_API void kymo_counter(const char *name, int64_t value);

/**
 * A message leaves this thread.
 *
 * @param channel messages of different channels have nothing to do with each other
 * @param key tells those that are on their way from each other
 */
KYMO_API void kymo_send(const char *channel, uint64_t key);

/** A message has come to this thread. */
KYMO_API void kymo_receive(const char *channel, uint64_t key);

/**
 * Gives a mutex, a condition variable or another object of the thread library a name, which is shown
 * where a thread waited for it (`kymo record --threads`).
 *
 * @param object its address
 * @param name is copied; empty or NULL takes a name away, as when the memory is used for something else
 */
KYMO_API void kymo_name(const void *object, const char *name);

/* ---- The recording ---- */

/** What a program says about kernel events; whoever starts the recording decides (kymo record --kernel). */
enum {
  /** Without them this process is not to be recorded; a line on standard error says so. */
  KYMO_NEED_KERNEL = 1,
  /** It is recorded anyway; if there are none, a notice in the recording says so. */
  KYMO_WANT_KERNEL = 2,
  /** It does not ask for them; if they are recorded, those of this process are, too. */
  KYMO_NO_KERNEL = 4
};

/**
 * Says what this process is called in the recording. A program need not call it to be recorded; after
 * kymo_done it joins the recording again, as a process of its own.
 *
 * @param flags about kernel events; 0 as KYMO_NO_KERNEL, which goes with no other. Who needs them and
 *     has none is recorded no longer; what was recorded before stays.
 * @param name instead of the command line; NULL leaves that
 * @return 1 if this process is recorded, 0 if not, -1 for other flags
 */
KYMO_API int kymo_init(int flags, const char *name);

/** Goes on recording after kymo_stop. */
KYMO_API void kymo_start(void);

/** Records nothing of this process until kymo_start. */
KYMO_API void kymo_stop(void);

/** Waits until everything that was recorded so far is in the recording's files; some 10 ms. */
KYMO_API void kymo_flush(void);

/** Ends the recording of this process; what was recorded stays. */
KYMO_API void kymo_done(void);

/**
 * Sets what a thread is asked before its first event: both functions run on that thread, with all signals
 * blocked, and what they record is lost. Threads that have recorded before are not asked; NULL asks
 * nothing.
 *
 * @param number the program's own number of the thread, shown behind its name ("worker 17")
 * @param buffer bytes of the thread's ring: it has these at least, 128 KiB to 1 GiB, as a power of two; 0
 *     as kymo record has it. If there is no memory for it, the thread's events are lost and counted.
 */
KYMO_API void kymo_thread_functions(uint32_t (*number)(void), size_t (*buffer)(void));

/* ---- Events that are defined; what generated functions use ---- */

/** Kinds of events. */
enum {
  KYMO_INSTANT = 0,
  /** Something begins; kymo_enter_event. */
  KYMO_BEGIN = 1,
  /** What another event began ends; kymo_leave_event. */
  KYMO_END = 2,
  /** A counter has a new value, its only field. */
  KYMO_COUNTER = 3,
  /** A message leaves; its first field is the key. */
  KYMO_SEND = 4,
  /** The message with the same key, sent by an event of the same subsystem, has come. */
  KYMO_RECEIVE = 5
};

/** Most events that a process may define; further ones are not recorded. */
#define KYMO_MOST_EVENTS 65536u

/** Most bytes of an event's data. */
#define KYMO_MOST_DATA 65536u

/**
 * Makes an event known. The same event may be defined any number of times, and has the same number.
 *
 * @param subsystem its group
 * @param subsystem_id what definitions call the group, 0 to 65535
 * @param category what the group is about, may be empty
 * @param color of the group, "#rrggbb" or empty
 * @param id what definitions call the event, 0 to 65535
 * @param kind KYMO_INSTANT, ...
 * @param begin of a KYMO_END: name of the event in the same group that began what it ends; else empty
 * @param description may be empty
 * @param fields of its data: "u64 size; str owner;"; may be empty
 * @return its number; 0 while nothing is recorded, then ask again
 */
KYMO_API uint32_t kymo_event_define(const char *subsystem, uint16_t subsystem_id,
    const char *category, const char *color, uint16_t id, const char *name, int kind,
    const char *begin, const char *description, const char *fields);

/** Whether an event with this number is to be recorded now. */
KYMO_API int kymo_event_on(uint32_t number);

/**
 * Records an event that has at most one field, a number.
 *
 * @param argument the field's bits, 0 if there is none
 */
KYMO_API void kymo_event(uint32_t number, uint64_t argument);

/**
 * Records an event with other data.
 *
 * @param data its fields one behind the other, little-endian, without gaps; texts and bytes behind
 *     their length in 16 bits
 * @param size bytes of them; an event of more than KYMO_MOST_DATA is counted as lost, data is not read
 */
KYMO_API void kymo_event_data(uint32_t number, const void *data, size_t size);

/**
 * Has room for an event's data, which the program writes there by itself, as kymo_event_data has it. The
 * time of the event is now, and it is in the recording from kymo_record_end on.
 *
 * In between the thread records nothing else: what signal handlers, and functions that it calls, record
 * meanwhile comes directly behind it, as far as there is room (some 60 events); more is lost and counted.
 * A second begin before the end drops the first record, counted as lost, also in a signal handler. In
 * between a child may be made by fork; it has no part in the record.
 *
 * @param size most bytes of it; at most KYMO_MOST_DATA, and no more than a sixteenth of the ring, or the
 *     event is lost and counted
 * @return the room, aligned to 8 bytes, with whatever was there before; NULL if nothing is to be recorded
 */
KYMO_API void *kymo_record_begin(uint32_t number, size_t size);

/**
 * The data are complete.
 *
 * @param data what kymo_record_begin has returned on this thread; NULL does nothing
 * @param size bytes that were used; more than there was room for: the event is lost and counted
 */
KYMO_API void kymo_record_end(void *data, size_t size);

/** The event is not to be recorded after all, and is not counted as lost. */
KYMO_API void kymo_record_drop(void *data);

/** What an event of kind KYMO_BEGIN stands for begins on this thread. */
KYMO_API void kymo_enter_event(uint32_t number);

/** It ends; number is that of the KYMO_END. */
KYMO_API void kymo_leave_event(uint32_t number);

/* So that an event costs a load and a comparison while it is off. Not for programs. */
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
