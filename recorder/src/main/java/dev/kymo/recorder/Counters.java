package dev.kymo.recorder;

import static dev.kymo.format.CountersLayout.BLOCKS_OFFSET;
import static dev.kymo.format.CountersLayout.BLOCK_SIZE;
import static dev.kymo.format.CountersLayout.CALLS_OFFSET;
import static dev.kymo.format.CountersLayout.DURATIONS_OFFSET;
import static dev.kymo.format.CountersLayout.FREE;
import static dev.kymo.format.CountersLayout.HEADER_SIZE;
import static dev.kymo.format.CountersLayout.HISTOGRAM_OFFSET;
import static dev.kymo.format.CountersLayout.MAX_OFFSET;
import static dev.kymo.format.CountersLayout.METHOD_OFFSET;
import static dev.kymo.format.CountersLayout.MODE_OFFSET;
import static dev.kymo.format.CountersLayout.RETIRED;
import static dev.kymo.format.CountersLayout.RUNNING_OFFSET;
import static dev.kymo.format.CountersLayout.STATE_OFFSET;
import static dev.kymo.format.CountersLayout.THREAD_OFFSET;
import static dev.kymo.format.CountersLayout.TICKS_OFFSET;
import static dev.kymo.format.CountersLayout.TIMED_OFFSET;
import static dev.kymo.format.CountersLayout.USED;

import dev.kymo.format.CountersLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls in shared memory ({@link CountersLayout}). A block is written by one thread, so
 * nothing here is atomic; the drainer may read values that are one call old. A block's place is its
 * offset; 0 is none.
 */
final class Counters {
  /** Most of it is never there: pages come with the blocks. */
  private static final int SIZE = 64 << 20;

  /** So much gets pages at a time. */
  private static final int STEP = 64 << 10;

  /** How many used blocks are looked at for a free one, before a new one is taken. */
  private static final int TRIES = 64;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final @Nullable Path file;
  private final ByteBuffer memory;
  private int present = HEADER_SIZE;
  private int blocks;
  private int next;

  private Counters(@Nullable Path file, ByteBuffer memory) {
    this.file = file;
    this.memory = memory;
  }

  /** Makes the file, without any blocks. */
  static Counters create(Path file) throws IOException {
    RingFile.map(file, HEADER_SIZE);
    try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
      f.setLength(SIZE);
      ByteBuffer memory =
          f.getChannel()
              .map(FileChannel.MapMode.READ_WRITE, 0, SIZE)
              .order(ByteOrder.LITTLE_ENDIAN);
      memory.putLong(CountersLayout.MAGIC_OFFSET, CountersLayout.MAGIC);
      return new Counters(file, memory);
    }
  }

  /** A few blocks that nobody else sees. */
  static Counters inMemory() {
    ByteBuffer memory = ByteBuffer.allocateDirect(HEADER_SIZE + 4 * BLOCK_SIZE);
    return new Counters(null, memory.order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Counts a call; returns how many there are now. */
  long begin(int block) {
    long calls = (long) LONG.get(memory, block + CALLS_OFFSET) + 1;
    LONG.set(memory, block + CALLS_OFFSET, calls);
    return calls;
  }

  /** Changes how many timed calls are running; returns how many are now. */
  int running(int block, int change) {
    int running = (int) INT.get(memory, block + RUNNING_OFFSET) + change;
    INT.set(memory, block + RUNNING_OFFSET, running);
    return running;
  }

  /** Adds a timed call. */
  void end(int block, long ticks, boolean outermost) {
    LONG.set(memory, block + TIMED_OFFSET, (long) LONG.get(memory, block + TIMED_OFFSET) + 1);
    if (outermost) {
      LONG.set(memory, block + TICKS_OFFSET, (long) LONG.get(memory, block + TICKS_OFFSET) + ticks);
    }
    LONG.set(
        memory,
        block + DURATIONS_OFFSET,
        (long) LONG.get(memory, block + DURATIONS_OFFSET) + ticks);
    if (ticks > (long) LONG.get(memory, block + MAX_OFFSET)) {
      LONG.set(memory, block + MAX_OFFSET, ticks);
    }
    int bucket = block + HISTOGRAM_OFFSET + 4 * CountersLayout.bucket(ticks);
    INT.set(memory, bucket, (int) INT.get(memory, bucket) + 1);
  }

  /**
   * A block for a thread, method and mode; 0 if there is no memory for more.
   *
   * @throws IOException if the shared memory is full
   */
  synchronized int allocate(int thread, int method, int mode) throws IOException {
    int block = free();
    if (block == 0) {
      return 0;
    }
    for (int i = 0; i < BLOCK_SIZE; i += Long.BYTES) {
      memory.putLong(block + i, 0);
    }
    memory.putInt(block + THREAD_OFFSET, thread);
    memory.putInt(block + METHOD_OFFSET, method);
    memory.putInt(block + MODE_OFFSET, mode);
    INT.setRelease(memory, block + STATE_OFFSET, USED);
    return block;
  }

  private int free() throws IOException {
    for (int i = 0; i < Math.min(TRIES, blocks); i++) {
      next = next + 1 < blocks ? next + 1 : 0;
      int block = HEADER_SIZE + next * BLOCK_SIZE;
      if ((int) INT.getAcquire(memory, block + STATE_OFFSET) == FREE) {
        return block;
      }
    }
    int block = HEADER_SIZE + blocks * BLOCK_SIZE;
    if (block + BLOCK_SIZE > memory.capacity()) {
      return 0;
    }
    if (file != null && block + BLOCK_SIZE > present) {
      try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
        f.seek(present); // a page that cannot be had later would end the program by SIGBUS
        f.write(new byte[STEP]);
      }
      present += STEP;
    }
    INT.setRelease(memory, BLOCKS_OFFSET, ++blocks);
    return block;
  }

  /** Gives up the blocks of a thread that has ended. */
  void retire(int[] ofThread) {
    for (int block : ofThread) {
      if (block != 0) {
        INT.setRelease(memory, block + STATE_OFFSET, RETIRED);
      }
    }
  }

  /** How many blocks there are or were. */
  int blocks() {
    return (int) INT.getAcquire(memory, BLOCKS_OFFSET);
  }

  /** Place of the block with a number. */
  static int block(int number) {
    return HEADER_SIZE + number * BLOCK_SIZE;
  }

  boolean isUsed(int block) {
    return (int) INT.getAcquire(memory, block + STATE_OFFSET) == USED;
  }

  int thread(int block) {
    return memory.getInt(block + THREAD_OFFSET);
  }

  int method(int block) {
    return memory.getInt(block + METHOD_OFFSET);
  }

  int mode(int block) {
    return memory.getInt(block + MODE_OFFSET);
  }

  long calls(int block) {
    return (long) LONG.get(memory, block + CALLS_OFFSET);
  }

  long timed(int block) {
    return (long) LONG.get(memory, block + TIMED_OFFSET);
  }

  long durations(int block) {
    return (long) LONG.get(memory, block + DURATIONS_OFFSET);
  }
}
