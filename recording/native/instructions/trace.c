#include "trace.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "facts.h"
#include "varint.h"

#define SUCCESSORS ((size_t) MAX_BLOCKS * sizeof(uint32_t))
#define EPOCH (UINT32_C(1) << BLOCK_BITS)

/* Of x86-64's Linux: where a ucontext has the instruction pointer. */
#define CONTEXT_PC 168
#define FRAME_BOUND 65536

#define BREAKPOINT 0xCC

/* So many chunks may wait; more could fill the memory. */
#define MAX_FULL 48

/* A recorder that does nothing for so long is dead, or as good as dead. */
#define PATIENCE_MICROS 5000000
#define NAP_MICROS 500

static uint32_t position_of(const struct open_chunk *open) {
  return (uint32_t) atomic_load_explicit(&open->recorded, memory_order_relaxed);
}

static uint32_t left_of(const struct open_chunk *open) {
  return (uint32_t) (open->progress & PROGRESS_BLOCKS);
}

/* Where the next record goes: after the run before it. */
static inline uint8_t *begin_record(struct open_chunk *open) {
  uint64_t recorded = atomic_load_explicit(&open->recorded, memory_order_relaxed);
  return varint(open->records + (uint32_t) recorded, (uint32_t) (recorded >> 32) - left_of(open));
}

/* The records end here now, and the run after them begins with so many blocks left. */
static inline void commit(struct open_chunk *open, const uint8_t *end, uint32_t left) {
  uint64_t position = (uint64_t) (end - open->records);
  atomic_store_explicit(&open->recorded, (uint64_t) left << 32 | position, memory_order_release);
}

static void commit_event(struct open_chunk *open, const uint8_t *end) {
  commit(open, end, left_of(open));
}

/* Twice the bound: what shortens the last block must come into the same chunk as that block. */
static bool has_room(const struct open_chunk *open) {
  return position_of(open) + 2 * RECORD_BOUND <= CHUNK_RECORDS;
}

static void expect_anything(struct open_chunk *open) {
  open->slot = open->successors + NO_BLOCK;
  open->expected = 0;
}

/* Ends all predictions. When the epochs are used up, the memory becomes zeroes. */
static void forget(struct open_chunk *open) {
  open->epoch += EPOCH;
  if (open->epoch == 0) {
    madvise(open->successors, SUCCESSORS, MADV_DONTNEED);
    open->epoch = EPOCH;
  }
  expect_anything(open);
}

struct window ky_window = {0, UINT64_MAX};

static bool is_outside(const struct open_chunk *open) {
  return open->begin < ky_window.begin || open->begin >= ky_window.end;
}

/* The clock at which the chunk has to end: that is seen only when there is no room for more blocks. */
static uint64_t end_of(const struct open_chunk *open) {
  return open->begin < ky_window.begin ? ky_window.begin : open->begin < ky_window.end ? ky_window.end : UINT64_MAX;
}

/* So many blocks, the last of which may pass the end, and none before it. */
static uint32_t blocks_until(uint64_t end, uint64_t clock) {
  uint64_t blocks = end <= clock ? 0 : (end - clock - 1) / MAX_INSTRUCTIONS + 1;
  return blocks < CHUNK_BLOCKS ? (uint32_t) blocks : CHUNK_BLOCKS;
}

static void open_chunk(struct trace *trace, uint64_t clock) {
  struct open_chunk *open = trace->open;
  open->begin = clock;
  trace->given = blocks_until(end_of(open), clock);
  commit(open, open->records, trace->given);
  open->progress = trace->given;
  open->raised = 0;
  open->magic = is_outside(open) ? 0 : OPEN_MAGIC;
  forget(open);
}

/* Gives the chunk room up to its end, as far as it may have more blocks. Returns how many there is room for. */
static uint32_t give_room(struct trace *trace) {
  struct open_chunk *open = trace->open;
  uint32_t before = left_of(open);
  uint32_t most = CHUNK_BLOCKS - trace->given + before;
  uint32_t room = blocks_until(end_of(open), trace_clock(trace));
  room = room < most ? room : most;
  uint64_t more = (uint64_t) room - before; /* or fewer: then it wraps around */
  trace->given += (uint32_t) more;
  open->progress += more;
  atomic_fetch_add_explicit(&open->recorded, more << 32, memory_order_release);
  return room;
}

static bool write_all(int file, const void *bytes, size_t size) {
  const uint8_t *from = bytes;
  while (size > 0) {
    ssize_t written = write(file, from, size);
    if (written <= 0) {
      return false;
    }
    from += written;
    size -= (size_t) written;
  }
  return true;
}

/* Waits while too many chunks wait; returns whether the recorder works on them. */
static bool recorder_keeps_up(void) {
  uint32_t rounds = ky_shared->rounds;
  unsigned waited = 0;
  while (ky_shared->full >= MAX_FULL) {
    usleep(NAP_MICROS);
    waited += NAP_MICROS;
    if (ky_shared->rounds != rounds) {
      rounds = ky_shared->rounds;
      waited = 0;
    } else if (waited >= PATIENCE_MICROS) {
      return false;
    }
  }
  return true;
}

bool ky_hand_over(const struct trace *trace, const struct chunk *head, const void *records) {
  if (ky_is_over()) {
    return false;
  }
  uint64_t size = sizeof *head + head->stored;
  uint64_t before = atomic_fetch_add_explicit(&ky_shared->written, size, memory_order_relaxed);
  if ((ky_shared->limit != 0 && before + size > ky_shared->limit) || !recorder_keeps_up()) {
    return false;
  }
  char part[5000];
  char name[5000];
  ky_file_name(part, sizeof part, trace->process, "thread-%u.part", trace->number);
  ky_file_name(name, sizeof name, trace->process, "thread-%u-%u.full", trace->number, trace->chunks);
  int file = ky_may_have(size) ? open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (file < 0) {
    return false;
  }
  bool done = write_all(file, head, sizeof *head) && write_all(file, records, head->stored);
  close(file);
  atomic_fetch_add(&ky_shared->full, 1);
  done = done && rename(part, name) == 0;
  if (!done) {
    atomic_fetch_sub(&ky_shared->full, 1);
    unlink(part);
  }
  return done;
}

static void close_chunk(struct trace *trace) {
  struct open_chunk *open = trace->open;
  uint8_t *end = begin_record(open);
  *end++ = 0;
  *end++ = EVENT_END;
  commit_event(open, end);
  uint32_t length = position_of(open);
  struct chunk head = {
    .magic = CHUNK_MAGIC,
    .length = length,
    .stored = length,
    .begin = open->begin,
    .end = trace_clock(trace),
    .blocks = trace->given - left_of(open),
  };
  if (is_outside(open)) {
    /* thrown away */
  } else if (ky_hand_over(trace, &head, open->records)) {
    trace->chunks++;
  } else {
    atomic_fetch_add_explicit(&ky_shared->lost, open->progress >> PROGRESS_BITS, memory_order_relaxed);
  }
  ky_tell_clock(head.end);
}

static void next_chunk(struct trace *trace) {
  uint64_t clock = trace_clock(trace);
  trace->before = ky_last_block(trace);
  close_chunk(trace);
  open_chunk(trace, clock);
}

void ky_take_room(struct trace *trace) {
  give_room(trace);
}

void ky_give_room(struct trace *trace) {
  if (give_room(trace) == 0) {
    next_chunk(trace);
  }
}

static inline void need_room(struct trace *trace) {
  if (!has_room(trace->open)) {
    next_chunk(trace);
  }
}

/* The last block of a chunk; NULL if it has none or has forgotten it. */
static struct block *last_of(const struct open_chunk *open) {
  return ky_block_of((uint32_t) (open->slot - open->successors));
}

struct block *ky_last_block(const struct trace *trace) {
  struct block *last = last_of(trace->open);
  return last == NULL ? trace->before : last;
}

static void open_name(char *to, size_t size, const struct trace *trace) {
  ky_file_name(to, size, trace->process, "thread-%u.open", trace->number);
}

/* The mapped file of a thread, or MAP_FAILED. */
static struct open_chunk *map_chunk(const struct trace *trace) {
  char name[5000];
  struct open_chunk *mapped = MAP_FAILED;
  open_name(name, sizeof name, trace);
  int file = ky_may_have(sizeof *mapped) ? open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (file < 0) {
    return MAP_FAILED;
  }
  if (posix_fallocate(file, 0, sizeof *mapped) == 0) {
    mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  } else {
    unlink(name);
  }
  close(file);
  return mapped;
}

void ky_begin_trace(struct trace *trace, uint32_t process, uint32_t number, uint32_t tid) {
  trace->process = process;
  trace->number = number;
  trace->open = NULL;
  trace->before = NULL;
  trace->chunks = 0;
  if (ky_is_over() || !ky_has_facts()) {
    return;
  }
  struct open_chunk *open = map_chunk(trace);
  if (open == MAP_FAILED) {
    ky_notice("instructions missing: a thread is not recorded, because there is no file for it"
              " (no space, no descriptor, or ulimit -f)");
    return;
  }
  void *successors =
    mmap(NULL, SUCCESSORS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (successors == MAP_FAILED) {
    munmap(open, sizeof *open);
    return;
  }
  open->successors = successors;
  open->tid = tid;
  trace->open = open;
  open_chunk(trace, ky_clock());
  struct {
    uint64_t clock;
    uint32_t thread, tid;
  } fact = {open->begin, number, tid};
  ky_fact(FACT_THREAD, &fact, sizeof fact, NULL, 0, NULL, 0);
}

void ky_end_trace(struct trace *trace) {
  if (trace->open != NULL) {
    munmap(trace->open->successors, SUCCESSORS);
    munmap(trace->open, sizeof *trace->open);
  }
  memset(trace, 0, sizeof *trace);
}

void ky_finish_trace(struct trace *trace) {
  if (trace->open != NULL && (position_of(trace->open) > 0 || left_of(trace->open) < trace->given)) {
    close_chunk(trace);
  }
  if (trace->open != NULL) {
    char name[5000];
    open_name(name, sizeof name, trace);
    unlink(name);
  }
  ky_end_trace(trace);
}

/* How many instructions of a block come before an address; all of them if it is not in the block. */
static unsigned executed_before(const struct block *block, uint64_t address) {
  uint64_t at = block->address;
  for (unsigned i = 0; i < block->instructions; i++) {
    if (at == address) {
      return i;
    }
    at += block->bytes[i];
  }
  return block->instructions;
}

/* Of the last block only so many instructions were executed. */
static void shorten(struct open_chunk *open, const struct block *last, unsigned executed) {
  if (last != NULL && executed < last->instructions) {
    open->progress -= (uint64_t) (last->instructions - executed) << PROGRESS_BITS;
  }
}

bool ky_is_fault(uint64_t signal) {
  return signal == SIGILL || signal == SIGTRAP || signal == SIGBUS || signal == SIGFPE || signal == SIGSEGV;
}

/*
 * Whether the processor has raised a signal, after as many instructions of a block: it came in the middle of the block,
 * or by a breakpoint, or because there is no code. Signals that are sent come between blocks. The siginfo may not say it: QEMU fills it in only for
 * handlers that ask for it.
 */
static bool is_raised(uint64_t signal, bool nowhere, const struct block *last, unsigned executed) {
  if (last == NULL || nowhere || !ky_is_fault(signal)) {
    return nowhere && ky_is_fault(signal);
  }
  bool breakpoint = signal == SIGTRAP && last->bytes[last->instructions + last->size - 1] == BREAKPOINT;
  return executed < last->instructions || breakpoint;
}

bool ky_signal_event(struct trace *trace, uint64_t signal, uint64_t address, bool nowhere) {
  need_room(trace);
  struct open_chunk *open = trace->open;
  const struct block *last = ky_last_block(trace);
  unsigned executed = last == NULL ? UINT16_MAX : executed_before(last, address);
  bool raised = is_raised(signal, nowhere, last, executed);
  if (last_of(open) != NULL) { /* one in an earlier chunk cannot be shortened any more */
    executed = raised ? executed : last->instructions;
    shorten(open, last, executed);
  }
  uint8_t *to = begin_record(open);
  *to++ = 0;
  *to++ = EVENT_SIGNAL;
  to = varint(to, signal);
  to = varint(to, executed);
  commit_event(open, varint(to, address));
  expect_anything(open);
  return raised;
}

/*
 * A handler begins, as the kernel, or QEMU in its place, calls it: rdi has the signal, rsi its siginfo, rdx its
 * ucontext, which lies a little above the stack pointer. Anything else is a call by the program.
 */
uint64_t ky_handled_signal(const uint64_t *registers, uint64_t *address) {
  uint64_t signal = registers[RDI];
  uint64_t context = registers[RDX];
  uint64_t info = registers[RSI];
  uint64_t stack = registers[RSP];
  if (signal > 64 || context - stack > FRAME_BOUND || info - stack > FRAME_BOUND || context % 8 != 0) {
    signal = 0;
  }
  *address = signal == 0 ? 0 : *(const uint64_t *) (uintptr_t) (context + CONTEXT_PC);
  return signal;
}

void ky_unpredicted(struct trace *trace, struct block *block) {
  need_room(trace);
  struct open_chunk *open = trace->open;
  commit(open, varint(begin_record(open), block->number), left_of(open) - 1);
  *open->slot = open->epoch | block->number;
  expect_successor(open, block);
  open->progress += block->step;
}

void ky_syscall_event(struct trace *trace, uint64_t number, const uint64_t *arguments, unsigned count) {
  need_room(trace);
  struct open_chunk *open = trace->open;
  uint8_t *to = begin_record(open);
  *to++ = 0;
  *to++ = EVENT_SYSCALL;
  to = varint(to, number);
  *to++ = (uint8_t) count;
  for (unsigned i = 0; i < count; i++) {
    to = varint(to, arguments[i]);
  }
  commit_event(open, to);
  ky_tell_clock(trace_clock(trace));
}

void ky_return_event(struct trace *trace, int64_t result) {
  need_room(trace);
  struct open_chunk *open = trace->open;
  uint64_t known = trace_clock(trace);
  uint64_t clock = ky_clock();
  uint64_t raised = clock > known ? clock - known : 0;
  uint8_t *to = begin_record(open);
  *to++ = 0;
  *to++ = EVENT_RETURN;
  to = signed_varint(to, result);
  to = varint(to, raised);
  open->raised += raised;
  commit_event(open, to);
  ky_give_room(trace);
}

void ky_entry_event(struct trace *trace, const struct block *last, uint32_t entry, unsigned executed,
    uint64_t address) {
  struct open_chunk *open = trace->open;
  shorten(open, last, executed);
  uint8_t *to = begin_record(open);
  *to++ = 0;
  *to++ = EVENT_ENTRY;
  to = varint(to, entry);
  to = varint(to, executed);
  commit_event(open, varint(to, address));
  expect_anything(open);
}

void ky_cut_event(struct trace *trace, const struct block *last, unsigned executed) {
  struct open_chunk *open = trace->open;
  shorten(open, last, executed);
  uint8_t *to = begin_record(open);
  *to++ = 0;
  *to++ = EVENT_CUT;
  commit_event(open, varint(to, executed));
  expect_anything(open);
}

void ky_switch_event(struct trace *trace, uint64_t clock) {
  need_room(trace);
  struct open_chunk *open = trace->open;
  uint64_t raised = clock - trace_clock(trace);
  uint8_t *to = begin_record(open);
  *to++ = 0;
  *to++ = EVENT_SWITCH;
  open->raised += raised;
  commit_event(open, varint(to, raised));
  ky_give_room(trace);
}

static void end_predictions(struct trace *trace, enum event event) {
  need_room(trace);
  struct open_chunk *open = trace->open;
  uint8_t *to = begin_record(open);
  *to++ = 0;
  *to++ = (uint8_t) event;
  commit_event(open, to);
  forget(open);
}

void ky_forget_event(struct trace *trace) {
  end_predictions(trace, EVENT_FORGET);
}

void ky_gap_event(struct trace *trace) {
  end_predictions(trace, EVENT_GAP);
}
