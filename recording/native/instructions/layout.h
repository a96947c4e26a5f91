#ifndef KYMO_INSTRUCTIONS_LAYOUT_H
#define KYMO_INSTRUCTIONS_LAYOUT_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * The files of a recording's directory `instructions`, as dev.kymo.format.InstructionLayout draws them. Numbers are
 * little-endian; `varint` has seven bits a byte, the lowest first, `signed` is a varint of (n << 1) ^ (n >> 63).
 *
 * shared           while recording: a struct shared, which all processes of the recording map
 * pN-facts         facts about process N, one after the other
 * pN-thread-M      chunks of its thread M
 * pN-program       a copy of a program that process N starts, if it has no path, or none any more
 * pN-thread-M-K.full the records of the thread's chunk K, from 0, until `kymo record` has compressed and appended them
 * pN-thread-M.open the chunk that is being filled, a struct open_chunk; `kymo record` closes it at the end
 */

#define SHARED_MAGIC UINT32_C(0x5349594b) /* "KYIS" */
#define CHUNK_MAGIC UINT32_C(0x4349594b)  /* "KYIC" */
#define FACTS_MAGIC UINT32_C(0x4649594b) /* "KYIF" */
#define OPEN_MAGIC UINT32_C(0x4f49594b)   /* "KYIO" */

struct shared {
  uint32_t magic;
  _Atomic uint32_t processes; /* numbers given so far */
  _Atomic uint64_t clock;     /* the latest clock of any thread that told it */
  _Atomic uint64_t written;   /* bytes of chunks and facts; `kymo record` subtracts what compression saves */
  uint64_t limit;             /* of written; 0 = none. Set by `kymo record` */
  _Atomic uint64_t lost;      /* instructions of chunks that could not be written */
  _Atomic uint32_t full;      /* chunks that wait to be compressed; `kymo record` counts down */
  _Atomic uint32_t rounds;    /* of `kymo record`: it lives while this changes */
  _Atomic uint32_t ended;     /* not 0: the recording is over, and its files belong to others. Set by `kymo record` */
  _Atomic uint32_t orders;    /* even: processes record; odd: they do not; LAST_ORDER: they never will again */
  uint64_t dropped;           /* instructions that `kymo record` has deleted, because only the newest are kept */
};

/* Recording has stopped at a fault. */
#define LAST_ORDER UINT32_C(0xffffffff)

/* A file of facts. */
struct facts_head {
  uint32_t magic;
  uint32_t process;
  _Atomic uint64_t position; /* bytes of the file, this head included */
};

/* Between the words of a command, until the recording is complete. */
#define FACT_BETWEEN 0x1f

/* Facts: u8 kind, u8[3] 0, u32 bytes after these eight, u64 clock where it says so. */
enum fact {
  FACT_PROCESS = 1, /* u64 clock, u32 pid, u32 parent pid, u32 parent or 0, u32 how, u32 blocks of it, text: command */
  FACT_BLOCK = 2,   /* u64 address, u16 n, u8[n] lengths, bytes; numbered from 1, after those of the parent */
  FACT_MODULE = 3,  /* u64 clock, u64 address, u64 length, u64 offset in the file, text: path */
  FACT_THREAD = 4,  /* u64 clock, u32 thread, u32 tid, text: name */
  FACT_NOTICE = 5,  /* u64 clock, text */
  FACT_ABOUT = 6,   /* u32 process: the facts that follow are about it. Of machines, whose facts are all in one file */
  FACT_ENTRY = 7,   /* u32 number, u32 1: exception, 2: interrupt; text: name */
  FACT_FAULT = 8,   /* u64 clock, u64 address, u32 thread, u32 signal or 0, text: what it is, if not a signal */
  FACT_LEFT = 9,    /* u64 clock, text: name. The process starts a program that is not recorded; empty: it failed */
};

/* How a process began. */
enum begin { BEGIN_FIRST = 0, BEGIN_FORK = 1, BEGIN_EXEC = 2, BEGIN_MACHINE = 3 };

/* Before the records of a full chunk. */
struct chunk {
  uint32_t magic;
  uint32_t crc;    /* 0: nobody has computed it */
  uint32_t length; /* of the records, bytes */
  uint32_t stored; /* the same */
  uint64_t begin;  /* clock of its first instruction */
  uint64_t end;    /* clock after its last one */
  uint64_t blocks;
};

/*
 * Records: varint run, varint code. A run counts blocks that followed as predicted: for a block, the successor that it
 * had last in this chunk, which begins with no block. A code above 0 is the next block, which is not the predicted one. 0 is an event: u8 kind.
 */
enum event {
  EVENT_END = 0,     /* nothing follows; closes the last run of a chunk */
  EVENT_SYSCALL = 1, /* varint number, u8 count, varint arguments */
  EVENT_RETURN = 2,  /* signed result, varint by how much the clock is raised */
  EVENT_SIGNAL = 3,  /* varint signal, varint instructions of the last block that were executed, varint address where it
                        came; or all 0, all of the last block and 0. A handler begins, or the signal ends the process; the
                        block before it is forgotten */
  EVENT_FORGET = 4,  /* all predictions end, and the block before is forgotten */
  EVENT_GAP = 5,     /* for a while nothing was recorded; as EVENT_FORGET */
  /* Of machines. */
  EVENT_ENTRY = 6,  /* varint number of a FACT_ENTRY, varint instructions of the last block that were executed, varint
                       address where it came. The kernel is entered; the block before is forgotten */
  EVENT_SWITCH = 7, /* varint by how much the clock is raised: other threads were executed */
  EVENT_CUT = 8,    /* varint instructions of the last block that were executed: the rest of it is in another block */
};

#define CHUNK_RECORDS (1024 * 1024) /* bytes */
#define CHUNK_BLOCKS (4 * 1024 * 1024)
#define RECORD_BOUND 160 /* the largest record, and a run before it */

/*
 * Written by its thread only; whoever closes it after the thread's death reads. Progress is what each block changes:
 * in the low 24 bits the blocks that there is room for, above them the instructions since the chunk's begin.
 */
struct open_chunk {
  uint32_t magic; /* 0: it is not to be recorded */
  uint32_t tid;
  uint64_t begin;            /* clock */
  _Atomic uint64_t recorded; /* bytes of records, and << 32 the blocks that there was room for after them */
  uint64_t progress;         /* the last run has the difference to these blocks */
  /* Of no meaning to others. */
  uint32_t *slot;       /* where the successor of the last block is */
  uint32_t *successors; /* by block: epoch | the one that it had last */
  uint32_t expected;    /* what the slot has */
  uint32_t epoch;       /* above the numbers of blocks; a chunk knows no successors of the one before */
  uint64_t raised;      /* by how much the clock went on without instructions */
  uint8_t records[CHUNK_RECORDS];
};

#define PROGRESS_BITS 24
#define PROGRESS_BLOCKS ((UINT64_C(1) << PROGRESS_BITS) - 1)

#endif
