package dev.kymo.format;

/**
 * The files in the directory {@link #DIRECTORY} of a recording of instructions: which blocks of
 * instructions each thread executed. Numbers are little-endian. The plugin's {@code layout.h} has
 * the same bytes.
 *
 * <pre>
 *   shared            while recording: what all processes of the recording map
 *     byte  0  u32    magic {@link #SHARED_MAGIC}
 *           4  u32    processes so far
 *           8  u64    the latest clock that a thread has told
 *          16  u64    bytes written
 *          24  u64    bytes that may be written; 0 = any number
 *          32  u64    instructions of chunks that could not be written
 *          40  u32    chunks that wait to be compressed
 *          44  u32    rounds of the recorder: it lives while this changes
 *          48  u32    not 0: the recording is over, nothing may be written any more
 *          52  u32    even: processes record, odd: they do not, {@link #LAST_ORDER}: never again
 *          56  u64    instructions that were deleted, because only the newest are kept
 *
 *   pN-facts          facts about process N
 *     byte  0  u32    magic {@link #FACTS_MAGIC}
 *           4  u32    process
 *           8  u64    bytes of the file, of which all are facts that come after this word
 *     a fact
 *           0  u32    kind
 *           4  u32    bytes that follow
 *           8         {@link #FACT_PROCESS}: u64 clock, u32 pid, u32 parent pid, u32 parent, u32 how,
 *                     u32 blocks that are the parent's, command, blanks; until the recording is
 *                     complete, {@link Redaction#BETWEEN} stands between its words
 *                     {@link #FACT_BLOCK}: u64 address, u16 n, n bytes with the lengths of the
 *                     instructions, code; numbered from 1, after those of the parent
 *                     {@link #FACT_MODULE}: u64 clock, u64 address, u64 bytes, u64 offset in the
 *                     file, path
 *                     {@link #FACT_THREAD}: u64 clock, u32 thread, u32 tid, name
 *                     {@link #FACT_NOTICE}: u64 clock, text
 *                     {@link #FACT_ABOUT}: u32 process that the facts after it are about; only in
 *                     p1-facts of a machine, which has the blocks of all processes
 *                     {@link #FACT_ENTRY}: u32 number, u32 {@link #ENTRY_EXCEPTION} or {@link
 *                     #ENTRY_INTERRUPT}, name
 *                     {@link #FACT_FAULT}: u64 clock, u64 address, u32 thread, u32 signal or 0, what it
 *                     is if it is no signal; recording has stopped there
 *                     {@link #FACT_LEFT}: u64 clock, name of the program that is not recorded and
 *                     that the process is about to go on in; empty: that has failed
 *
 *   pN-thread-M       chunks of thread M
 *     byte  0  u32    magic {@link #CHUNK_MAGIC}
 *           4  u32    CRC-32 of what is stored
 *           8  u32    bytes of the records
 *          12  u32    bytes stored after this header: the records compressed by zstd if it is fewer
 *          16  u64    clock at the begin
 *          24  u64    clock at the end
 *          32  u64    blocks
 *          40         what is stored
 *
 *   pN-thread-M-K.full while recording: chunk K of the thread, from 0, not compressed and without
 *                     CRC
 *
 *   pN-thread-M.open  while recording: the last chunk
 *     byte  0  u32    magic {@link #OPEN_MAGIC}; 0: it is not to be recorded
 *           4  u32    tid
 *           8  u64    clock at the begin
 *          16  u32    bytes of records
 *          20  u32    blocks that there was room for after them
 *          24  u64    low 24 bits: blocks that there is room for: the last run has the difference;
 *                     above them, instructions since the begin
 *          64         records
 * </pre>
 *
 * <p>A record is a run and a code, both varints (seven bits a byte, the lowest first). The run
 * counts blocks that followed as predicted: for each block that is the successor that it had last
 * in this chunk. A code above 0 is the block that comes next, which was not predicted. The code 0
 * is an event, with a byte for its kind.
 */
public final class InstructionLayout {
  public static final String DIRECTORY = "instructions";

  public static final int SHARED_MAGIC = 0x5349594b;
  public static final int SHARED_PROCESSES_OFFSET = 4;
  public static final int SHARED_CLOCK_OFFSET = 8;
  public static final int SHARED_LIMIT_OFFSET = 24;
  public static final int SHARED_LOST_OFFSET = 32;
  public static final int SHARED_WRITTEN_OFFSET = 16;
  public static final int SHARED_FULL_OFFSET = 40;
  public static final int SHARED_ROUNDS_OFFSET = 44;
  public static final int SHARED_ENDED_OFFSET = 48;
  public static final int SHARED_ORDERS_OFFSET = 52;
  public static final int SHARED_DROPPED_OFFSET = 56;
  public static final int SHARED_SIZE = 4096;

  public static final int FACTS_MAGIC = 0x4649594b;
  public static final int FACTS_HEAD = 16;
  public static final int FACT_HEAD = 8;
  public static final int FACT_PROCESS = 1;
  public static final int FACT_BLOCK = 2;
  public static final int FACT_MODULE = 3;
  public static final int FACT_THREAD = 4;
  public static final int FACT_NOTICE = 5;
  public static final int FACT_ABOUT = 6;
  public static final int FACT_ENTRY = 7;
  public static final int FACT_FAULT = 8;
  public static final int FACT_LEFT = 9;

  /** Of those in the shared page: recording has ended at a fault. */
  public static final int LAST_ORDER = -1;

  public static final int ENTRY_EXCEPTION = 1;
  public static final int ENTRY_INTERRUPT = 2;

  /** How a process began: by {@code kymo record}. */
  public static final int BEGIN_FIRST = 0;

  /** How a process began: by fork; it has its parent's blocks. */
  public static final int BEGIN_FORK = 1;

  /** How a process began: its parent, the same process, called execve. */
  public static final int BEGIN_EXEC = 2;

  /** How a process began: it is the kernel of a machine, whose facts are all in its file. */
  public static final int BEGIN_MACHINE = 3;

  public static final int CHUNK_MAGIC = 0x4349594b;
  public static final int CHUNK_HEAD = 40;

  /** Maximum size of a chunk's records in bytes. */
  public static final int CHUNK_RECORDS = 1 << 20;

  /** Maximum number of blocks in a chunk. */
  public static final int CHUNK_BLOCKS = 4 << 20;

  public static final int OPEN_MAGIC = 0x4f49594b;
  public static final int OPEN_HEAD = 64;

  /** The records end. */
  public static final int EVENT_END = 0;

  /** A system call begins: number, count as a byte, arguments. */
  public static final int EVENT_SYSCALL = 1;

  /** It returns: its result as {@code n << 1 ^ n >> 63}, then by how much the clock goes on. */
  public static final int EVENT_RETURN = 2;

  /**
   * A signal's handler begins, or the signal ends the process: signal, instructions of the last
   * block that were executed, address where the signal came. Nothing is predicted for the handler.
   * Signal 0: the program has called the handler itself.
   */
  public static final int EVENT_SIGNAL = 3;

  /** All predictions of the chunk end, and the block before is forgotten. */
  public static final int EVENT_FORGET = 4;

  /** For a while nothing was recorded; otherwise as {@link #EVENT_FORGET}. */
  public static final int EVENT_GAP = 5;

  /**
   * The kernel is entered by an exception or an interrupt: number of a {@link #FACT_ENTRY},
   * instructions of the last block that were executed, address where it came. Otherwise as {@link
   * #EVENT_SIGNAL}.
   */
  public static final int EVENT_ENTRY = 6;

  /** A thread goes on after others were executed: by how much the clock goes on. */
  public static final int EVENT_SWITCH = 7;

  /** Only as many instructions of the last block were executed as it says. */
  public static final int EVENT_CUT = 8;

  private InstructionLayout() {}
}
