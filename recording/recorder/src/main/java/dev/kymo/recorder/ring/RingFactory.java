package dev.kymo.recorder.ring;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.recorder.platform.SpinLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the rings of this process, in shared memory, and says how many there are. */
public final class RingFactory {
  private static final int DEFINITION_SUB_BUFFER = 64 * 1024;
  private static final int DEFINITION_SUB_BUFFERS = 16;
  private static final int SUB_BUFFERS = 16;
  private static final int SMALLEST_SUB_BUFFER = 8 * 1024;

  /** A ring gets at most this part of the memory that is left, so that more threads have one. */
  private static final int PARTS = 32;

  /** At most this many threads get rings of full size; after that, each new ring is smaller. */
  private static final int FULL_SIZE_RINGS = 16;

  private final UUID recording;
  private final int process;
  private final Path home;
  private final ByteBuffer control;
  private final int bufferSize;
  private final int whenFull;
  private final SpinLock lock = new SpinLock();
  private final AtomicInteger lastRing = new AtomicInteger();

  /**
   * For a process.
   *
   * @param recording its id
   * @param process its number in the recording
   * @param home directory of its shared memory
   * @param control the page that shows the number of rings
   * @param bufferSize bytes of a thread's ring
   * @param whenFull what a thread's ring does then; {@link RingLayout}
   */
  public RingFactory(
      UUID recording, int process, Path home, ByteBuffer control, int bufferSize, int whenFull) {
    this.recording = recording;
    this.process = process;
    this.home = home;
    this.control = control;
    this.bufferSize = bufferSize;
    this.whenFull = whenFull;
  }

  public ByteBuffer definitionRing() throws IOException {
    ByteBuffer ring =
        RingFile.create(
            home.resolve("ring-0"),
            recording,
            StreamClass.DEFINITIONS,
            process,
            0,
            DEFINITION_SUB_BUFFER,
            DEFINITION_SUB_BUFFERS,
            RingLayout.BLOCK);
    control.putInt(ControlLayout.RINGS_OFFSET, 1);
    return ring;
  }

  /**
   * A ring for a thread's own records.
   *
   * @throws IOException if there is no memory for it; the message says where and how much
   */
  ByteBuffer threadRing() throws IOException {
    int index = lastRing.incrementAndGet();
    long share = Math.min(bufferSize / Math.max(1, index / FULL_SIZE_RINGS), left() / PARTS);
    int subBuffer = Math.max(SMALLEST_SUB_BUFFER, (int) (share / SUB_BUFFERS) & -4096);
    try {
      return newRing(index, subBuffer, SUB_BUFFERS, whenFull);
    } catch (IOException | SecurityException e) { // a security manager need not heed privileges
      throw new IOException(
          "directory=" + home + " bytes=" + subBuffer * SUB_BUFFERS + " error=" + e.getMessage(),
          e);
    }
  }

  private long left() {
    try {
      return home.toFile().getUsableSpace();
    } catch (SecurityException e) { // a security manager need not heed privileges
      return Long.MAX_VALUE;
    }
  }

  /** A ring that belongs to no thread. */
  public ByteBuffer newRing(int subBuffer, int subBuffers, int whenItIsFull) throws IOException {
    return newRing(lastRing.incrementAndGet(), subBuffer, subBuffers, whenItIsFull);
  }

  private ByteBuffer newRing(int index, int subBuffer, int subBuffers, int whenItIsFull)
      throws IOException {
    ByteBuffer memory =
        RingFile.create(
            home.resolve("ring-" + index),
            recording,
            StreamClass.THREADS,
            process,
            index,
            subBuffer,
            subBuffers,
            whenItIsFull);
    raiseRingCount(index + 1);
    return memory;
  }

  private void raiseRingCount(int count) {
    lock.acquire();
    try {
      if (control.getInt(ControlLayout.RINGS_OFFSET) < count) {
        control.putInt(ControlLayout.RINGS_OFFSET, count);
      }
    } finally {
      lock.release();
    }
  }
}
