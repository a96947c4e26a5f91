#ifndef KYMO_INSTRUCTIONS_TRACE_H
#define KYMO_INSTRUCTIONS_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "blocks.h"
#include "layout.h"

/* The guest's registers, in the order in which QEMU's CPUX86State begins with them. */
enum { RAX = 0, RCX = 1, RDX = 2, RSP = 4, RSI = 6, RDI = 7, R8 = 8, R9 = 9, R10 = 10, RIP = 16 };

/* What a thread of the program executes. Touched only by the thread that is executing it. */
struct trace {
  struct open_chunk *open; /* NULL: nothing is recorded any more */
  uint32_t process;
  uint32_t number;         /* of the thread in its process */
  uint32_t chunks;         /* that were full */
  uint32_t given;          /* blocks that the open chunk had or has room for */
  struct block *before;    /* last block of the chunk before this one */
};

/*
 * The instructions of each thread that are recorded, by their clock: from `begin` up to, not including, `end`. What is
 * outside counts for the clock, and its chunks are thrown away.
 */
struct window {
  uint64_t begin;
  uint64_t end;
};

extern struct window ky_window;

/* Begins a thread of a process, whose first chunk is opened. */
void ky_begin_trace(struct trace *trace, uint32_t process, uint32_t number, uint32_t tid);

/* Gives back memory; what is in the open chunk stays in its file. */
void ky_end_trace(struct trace *trace);

/* Hands over the open chunk, too: nothing more comes from this thread. */
void ky_finish_trace(struct trace *trace);

/* A block that was not predicted. */
void ky_unpredicted(struct trace *trace, struct block *block);

/* A block begins a signal's handler. Returns the signal and where it came; 0: the program calls it itself. */
uint64_t ky_handled_signal(const uint64_t *registers, uint64_t *address);

/*
 * A signal came at an address, where there may be no code: a handler begins, or the process ends. Returns whether the
 * processor has raised it.
 */
bool ky_signal_event(struct trace *trace, uint64_t signal, uint64_t address, bool nowhere);

/* Whether a signal is one that the processor raises. */
bool ky_is_fault(uint64_t signal);

/*
 * A block was the last one that its chunk had been given room for, or the clock or the window is another one. If the
 * chunk has to end, the next one begins.
 */
void ky_give_room(struct trace *trace);

/* The same, but the chunk ends with the next block: what is known of the last one then belongs to it. */
void ky_take_room(struct trace *trace);

/* The block executed last; NULL = none. */
struct block *ky_last_block(const struct trace *trace);

void ky_syscall_event(struct trace *trace, uint64_t number, const uint64_t *arguments, unsigned count);
void ky_return_event(struct trace *trace, int64_t result);

/* Puts a chunk of the thread into a file of its own, which has its name when it is whole. */
bool ky_hand_over(const struct trace *trace, const struct chunk *head, const void *records);

/* The kernel is entered by an exception or an interrupt, after as many instructions of the last block. */
void ky_entry_event(struct trace *trace, const struct block *last, uint32_t entry, unsigned executed,
  uint64_t address);

/* Only as many instructions of the last block were executed. */
void ky_cut_event(struct trace *trace, const struct block *last, unsigned executed);

/* The thread goes on, when the clock of all has come so far. */
void ky_switch_event(struct trace *trace, uint64_t clock);

/* All predictions of the chunk end. */
void ky_forget_event(struct trace *trace);

/* Recording goes on after a while. */
void ky_gap_event(struct trace *trace);

/* The clock after the last block. */
static inline uint64_t trace_clock(const struct trace *trace) {
  const struct open_chunk *open = trace->open;
  return open->begin + open->raised + (open->progress >> PROGRESS_BITS);
}

static inline bool is_after_window(const struct trace *trace) {
  return trace_clock(trace) >= ky_window.end;
}

/* Reads what comes next long before it is needed. */
static inline void expect_successor(struct open_chunk *open, const struct block *block) {
  open->slot = open->successors + block->number;
  open->expected = *open->slot;
}

/* Whether a block was predicted; it is recorded then. What each block costs is here. */
static inline bool is_predicted(struct open_chunk *open, const struct block *block) {
  if (open->expected != (open->epoch | block->number)) {
    return false;
  }
  expect_successor(open, block);
  open->progress += block->step;
  return true;
}

#endif
