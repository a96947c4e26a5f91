/* What `kymo record` says to the programs that it records: the file `session` in the directory of the shared memory,
 * written by the class Session of recorder/. */
#ifndef KYMO_SESSION_H
#define KYMO_SESSION_H

#include <stdbool.h>
#include <stdint.h>

enum { SESSION_PATH = 4096, SESSION_PATTERNS = 16 * 1024 };

struct session {
  char directory[SESSION_PATH];
  char recording[SESSION_PATH]; /* for messages */
  uint8_t uuid[16];
  bool tsc; /* the clock is the processor's counter, whatever it is called */
  uint32_t buffer_size;
  uint32_t when_full;
  bool kernel; /* whether the recording has kernel events */
  double budget; /* part of a thread's time that recording its calls may take; 0: not limited */
  uint64_t nanos; /* how long is recorded after a trigger; 0: to the end */
  char disabled[SESSION_PATTERNS]; /* lines, each a pattern of events */
  char include[SESSION_PATTERNS]; /* likewise, of functions; empty: all */
  char exclude[SESSION_PATTERNS];
  char start_on[SESSION_PATTERNS]; /* lines, each a trigger */
  char stop_on[SESSION_PATTERNS];
  char snapshot_on[SESSION_PATTERNS];
};

/* Reads the session in a directory into zeroed memory; false if there is none, or this process cannot join it. By one
 * thread at a time. */
bool ky_session_load(struct session *session, const char *directory);

#endif
