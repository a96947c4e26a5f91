package dev.kymo.recorder.ring;

import static dev.kymo.format.CountersLayout.BLOCKS_OFFSET;
import static dev.kymo.format.CountersLayout.BLOCK_SIZE;
import static dev.kymo.format.CountersLayout.CALLS_OFFSET;
import static dev.kymo.format.CountersLayout.DURATIONS_OFFSET;
import static dev.kymo.format.CountersLayout.FREE;
import static dev.kymo.format.CountersLayout.HEADER_SIZE;
import static dev.kymo.format.CountersLayout.HISTOGRAM_OFFSET;
import static dev.kymo.format.CountersLayout.INTERVAL_OFFSET;
import static dev.kymo.format.CountersLayout.MAX_OFFSET;
import static dev.kymo.format.CountersLayout.METHOD_OFFSET;
import static dev.kymo.format.CountersLayout.MODE_OFFSET;
import static dev.kymo.format.CountersLayout.RETIRED;
import static dev.kymo.format.CountersLayout.RUNNING_OFFSET;
import static dev.kymo.format.CountersLayout.SELF_OFFSET;
import static dev.kymo.format.CountersLayout.SINCE_OFFSET;
import static dev.kymo.format.CountersLayout.SQUARES_OFFSET;
import static dev.kymo.format.CountersLayout.STATE_OFFSET;
import static dev.kymo.format.CountersLayout.THREAD_OFFSET;
import static dev.kymo.format.CountersLayout.TICKS_OFFSET;
import static dev.kymo.format.CountersLayout.TIMED_OFFSET;
import static dev.kymo.format.CountersLayout.TOTAL_OFFSET;
import static dev.kymo.format.CountersLayout.UNPLACED_OFFSET;
import static dev.kymo.format.CountersLayout.USED;

import dev.kymo.format.CountersLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * The counters in shared memory ({@link CountersLayout}), where the drainer reads them at any time.
 * A block's place is its offset; 0 is none.
 */
public final class Counters {
  /** Most of it is never there: pages come with the blocks. */
  private static final int SIZE = 64 << 20;

  /** The number of bytes that get pages at a time. */
  private static final int STEP = 64 << 10;

  /** How many used blocks are looked at for a free one, before a new one is taken. */
  private static final int TRIES = 64;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final Path file;
  private final ByteBuffer memory;
  private int present = HEADER_SIZE;
  private int blocks;
  private int next;

  private Counters(Path file, ByteBuffer memory) {
    this.file = file;
    this.memory = memory;
  }

  /** Makes the file, without any blocks. */
  public static Counters create(Path file) throws IOException {
    ByteBuffer memory = RingFile.map(file, HEADER_SIZE, SIZE);
    memory.putLong(CountersLayout.MAGIC_OFFSET, CountersLayout.MAGIC);
    return new Counters(file, memory);
  }

  /** Copies the values of a counter; by one thread at a time. */
  public void publish(Counter counter) {
    int block = counter.block;
    memory.putLong(block + TIMED_OFFSET, counter.timed);
    memory.putLong(block + TICKS_OFFSET, counter.ticks);
    memory.putLong(block + DURATIONS_OFFSET, counter.durations);
    memory.putLong(block + MAX_OFFSET, counter.max);
    memory.putInt(block + RUNNING_OFFSET, counter.running);
    for (int i = 0; i < counter.histogram.length; i++) {
      memory.putInt(block + HISTOGRAM_OFFSET + 4 * i, counter.histogram[i]);
    }
    memory.putLong(block + TOTAL_OFFSET, counter.total);
    memory.putLong(block + SELF_OFFSET, counter.self);
    memory.putLong(block + SQUARES_OFFSET, counter.squares);
    memory.putLong(block + INTERVAL_OFFSET, SampleTimer.interval());
    memory.putLong(block + UNPLACED_OFFSET, counter.unplaced);
    counter.publishedTime = counter.total;
    counter.published = Math.max(counter.published, counter.calls());
    LONG.setRelease(memory, block + CALLS_OFFSET, counter.published);
  }

  /**
   * A block for a thread, method and mode; 0 if there is no memory for more.
   *
   * @param since clock, before anything is counted
   * @throws IOException if the shared memory is full
   */
  synchronized int allocate(int thread, int method, int mode, long since) throws IOException {
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
    memory.putLong(block + SINCE_OFFSET, since);
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
    if (block + BLOCK_SIZE > SIZE) {
      return 0;
    }
    if (block + BLOCK_SIZE > present) {
      try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
        f.seek(present); // a page that cannot be had later would end the program by SIGBUS
        f.write(new byte[STEP]);
      }
      present += STEP;
    }
    INT.setRelease(memory, BLOCKS_OFFSET, ++blocks);
    return block;
  }

  public int method(int block) {
    return memory.getInt(block + METHOD_OFFSET);
  }

  public int mode(int block) {
    return memory.getInt(block + MODE_OFFSET);
  }

  /** Marks the counter as final: its thread has ended. */
  void retire(Counter counter) {
    publish(counter);
    INT.setRelease(memory, counter.block + STATE_OFFSET, RETIRED);
  }
}
