#ifndef KYMO_INSTRUCTIONS_GUEST_H
#define KYMO_INSTRUCTIONS_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../trace.h"

/*
 * The threads and processes of the machine's system, as its kernel's structures have them. Process 1 of the recording
 * is the kernel, with its own threads; every other process is one of the system's, and after execve another one.
 */

struct task {
  struct trace trace;
  uint32_t pid; /* the thread's own number */
  uint32_t process;
  uint32_t beginnings; /* of recording, when it was executed last */
  bool begun;
  bool in_syscall;
  bool dead;
};

/* The thread that the processor executes. */
extern struct task *ky_task;

/* Where its blocks are recorded; NULL: nothing is. */
extern struct open_chunk *ky_open;

/* Begins the kernel and the thread that it starts as. */
bool ky_begin_guest(void);

/* Whether instructions are recorded from now on. */
void ky_record(bool on);

bool ky_is_recording(void);

/* The kernel switches to a thread: a task_struct. */
void ky_switch_to(uint64_t task);

/* The current thread ends: it is switched away from once more. */
void ky_task_is_dead(void);

/* A thread has a new name; also when it executes another program. */
void ky_task_is_named(uint64_t task, uint64_t name, bool program);

/* A vm_area_struct of the current process is there. */
void ky_area_is_mapped(uint64_t area);

/* The current thread has met the fault that recording stops at. signal: 0 if `what` says what it is. */
void ky_fault_is_met(uint64_t clock, uint64_t address, uint32_t signal, const char *what);

/* Whether the current process has the program's file mapped. */
bool ky_is_in_program(void);

/* Reads the kernel's memory. */
bool ky_read(void *to, uint64_t address, size_t size);

/* Numbers in it; 0 if there is no memory. */
uint32_t ky_number_at(uint64_t address);
uint64_t ky_word_at(uint64_t address);

#endif
