#ifndef KYMO_INSTRUCTIONS_FACTS_H
#define KYMO_INSTRUCTIONS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"

/* What all processes of a recording share; NULL when nothing is recorded. */
extern struct shared *ky_shared;

/* The directory that all files are in. */
extern char ky_directory[4096];

/* Whether the recording is over: nothing is written any more, while the program goes on. */
bool ky_is_over(void);

/* This process's number in the recording. */
extern uint32_t ky_process;

/* Opens the recording's directory, an absolute path. */
bool ky_open_recording(const char *directory);

/* The path of a file of a process, "p1-" and more. */
void ky_file_name(char *to, size_t size, uint32_t process, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

/* A number for a process. */
uint32_t ky_new_process(void);

/* Whether this process may have a file of this size: a signal ends a program that is beyond its limit (ulimit -f). */
bool ky_may_have(uint64_t size);

/* Whether this process, or another program in its place, may begin a file of facts. */
bool ky_may_have_facts(void);

/* Whether this process has begun a file of facts. */
bool ky_has_facts(void);

/* Begins a file of facts, with a process of its own. After fork it is called in the child. */
bool ky_begin_facts(void);

/* A fact about a process. blocks: how many of the parent's blocks are its, too. */
void ky_process_fact(uint32_t pid, uint32_t parent_pid, uint32_t parent, enum begin how, uint32_t blocks,
  const char *command, size_t length);

/* Writes a fact: its head, and then the pieces. */
void ky_fact(enum fact kind, const void *first, size_t first_size, const void *second, size_t second_size,
  const void *third, size_t third_size);

/* A fact that has a clock and text: a notice. */
void ky_notice(const char *text);

/* The latest clock that any thread has told. */
uint64_t ky_clock(void);

/* Tells the others a thread's clock. */
void ky_tell_clock(uint64_t clock);

#endif
