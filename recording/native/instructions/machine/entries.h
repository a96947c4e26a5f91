#ifndef KYMO_INSTRUCTIONS_ENTRIES_H
#define KYMO_INSTRUCTIONS_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What `kymo machine prepare` found out about a kernel: a file with a line for each place, whose words are separated by
 * blanks, and whose numbers are hexadecimal.
 *
 *   symbol NAME ADDRESS            a function that the plugin looks at
 *   offset STRUCT.MEMBER OFFSET    of a member, bytes
 *   exception ADDRESS CODE NAME    where an exception enters the kernel; CODE 1: with an error code on the stack
 *   interrupt BEGIN END NAME       where interrupts do, at each eighth byte
 *   kernel BEGIN END               its code
 */

struct symbols {
  uint64_t switch_to;
  uint64_t task_dead;
  uint64_t set_comm;
  uint64_t mapped;
  uint64_t syscall;
  uint64_t run_queues; /* of a processor, to which its offset is added */
  uint64_t per_cpu_offset;
  uint64_t make_signal; /* this and the next two: 0, unless recording is to stop at a fault */
  uint64_t oops;
  uint64_t panic;
  uint64_t kernel_begin;
  uint64_t kernel_end;
};

struct offsets {
  uint64_t pid, tgid, comm, mm, parent;
  uint64_t vm_start, vm_end, vm_pgoff, vm_flags, vm_file;
  uint64_t path_dentry, dentry_name, dentry_parent;
  /* Of a run queue: how many threads are in its real-time queues, these, and the list of all others. */
  uint64_t rt_running, rt_queues, fair_tasks;
  /* Of a task_struct: its link in these. */
  uint64_t rt_link, fair_link;
};

/* How the kernel is entered. */
struct entry {
  uint64_t begin;
  uint64_t end;
  uint32_t number; /* from 1 */
  bool interrupt;
  bool code; /* whether an error code lies on the stack */
};

extern struct symbols ky_symbols;
extern struct offsets ky_offsets;

/* Reads the file; says what is wrong with it, NULL if nothing is. */
const char *ky_read_places(const char *path);

/* Whether the file says where the run queue is. */
bool ky_knows_run_queue(void);

/* Facts about all entries. */
void ky_tell_entries(void);

/* The entry that a block begins at an address; NULL if it is none. */
const struct entry *ky_entry_at(uint64_t address);

#endif
