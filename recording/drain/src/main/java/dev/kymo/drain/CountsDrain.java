package dev.kymo.drain;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the counters of one process and writes those that have grown. Each reading is written in
 * full, so nothing is lost when a recorder is killed: the last reading counts.
 */
final class CountsDrain implements AutoCloseable {
  private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

  /** Readings that are closer together are one for readers, so no more are written. */
  private static final long SHORTEST_PERIOD = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int PACKET = 64 << 10;
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Path streamPath;
  private final UUID uuid;
  private final int process;
  private final ByteBuffer counters;
  private final ByteBuffer packet = ByteBuffer.allocate(PACKET).order(ByteOrder.LITTLE_ENDIAN);
  private @Nullable StreamFile stream;
  private long[] written = {};
  private long nextLook = System.nanoTime() + PERIOD;
  private long nextForAll = System.nanoTime();
  private boolean givenUp;

  private CountsDrain(Path streamPath, UUID uuid, int process, ByteBuffer counters) {
    this.streamPath = streamPath;
    this.uuid = uuid;
    this.process = process;
    this.counters = counters;
  }

  /** Opens the counters of a process; null if there are none yet. */
  static @Nullable CountsDrain open(Home home, Path directory, UUID uuid, int process)
      throws IOException {
    try (FileChannel channel = home.open("counters")) {
      if (channel == null || channel.size() <= CountersLayout.HEADER_SIZE) {
        return null;
      }
      ByteBuffer memory = Home.map(channel, Math.min(channel.size(), Integer.MAX_VALUE));
      return new CountsDrain(directory.resolve("p" + process + "-counts"), uuid, process, memory);
    }
  }

  /**
   * Writes the counters that have grown, once a second; returns the bytes written.
   *
   * @param wanted whether the program wants it now: then those that have not grown are written,
   *     too, so that readers know that they have not
   */
  long take(long clock, boolean wanted) throws IOException {
    long now = System.nanoTime();
    if (now - nextLook < 0 && !wanted) {
      return 0;
    }
    nextLook = now + PERIOD;
    boolean all = wanted && now - nextForAll >= 0;
    if (all) {
      nextForAll = now + SHORTEST_PERIOD;
    }
    return write(clock, all);
  }

  /**
   * Writes the counters that have grown since the last time; the process must have ended or
   * stopped.
   */
  long finish(long clock) throws IOException {
    return write(clock, false);
  }

  void giveUp() {
    givenUp = true;
  }

  private long write(long clock, boolean all) throws IOException {
    int blocks = (int) INT.getAcquire(counters, CountersLayout.BLOCKS_OFFSET);
    int fit = (counters.capacity() - CountersLayout.HEADER_SIZE) / CountersLayout.BLOCK_SIZE;
    blocks = Math.max(0, Math.min(blocks, fit));
    if (blocks > written.length) {
      written = Arrays.copyOf(written, blocks * 2);
    }
    long bytes = 0;
    packet.clear();
    for (int i = 0; i < blocks && !givenUp; i++) {
      int block = CountersLayout.HEADER_SIZE + i * CountersLayout.BLOCK_SIZE;
      int state = (int) INT.getAcquire(counters, block + CountersLayout.STATE_OFFSET);
      if (state == CountersLayout.FREE) {
        continue;
      }
      long grown =
          (long) LONG.get(counters, block + CountersLayout.CALLS_OFFSET)
              + (long) LONG.get(counters, block + CountersLayout.TIMED_OFFSET)
              + (long) LONG.get(counters, block + CountersLayout.TOTAL_OFFSET);
      if (grown != written[i] || (all && grown != 0)) {
        written[i] = grown;
        bytes += put(block, clock);
      }
      if (state == CountersLayout.RETIRED) {
        written[i] = 0;
        INT.setRelease(counters, block + CountersLayout.STATE_OFFSET, CountersLayout.FREE);
      }
    }
    return bytes + flush(clock);
  }

  private long put(int block, long clock) throws IOException {
    long flushed = packet.remaining() < CountRecord.MAX_SIZE ? flush(clock) : 0;
    if (packet.position() == 0) {
      packet.position(PacketLayout.HEADER_SIZE);
    }
    record(block).put(packet, clock);
    return flushed;
  }

  private CountRecord record(int block) {
    // Before the calls: if a call begins and ends during the reading, at most its begin is seen.
    long timed = counters.getLong(block + CountersLayout.TIMED_OFFSET);
    VarHandle.acquireFence();
    int[] histogram = new int[CountersLayout.BUCKETS];
    for (int i = 0; i < histogram.length; i++) {
      histogram[i] = counters.getInt(block + CountersLayout.HISTOGRAM_OFFSET + 4 * i);
    }
    return new CountRecord(
        counters.getInt(block + CountersLayout.THREAD_OFFSET),
        counters.getInt(block + CountersLayout.METHOD_OFFSET),
        counters.getInt(block + CountersLayout.MODE_OFFSET),
        counters.getLong(block + CountersLayout.CALLS_OFFSET),
        timed,
        counters.getLong(block + CountersLayout.TICKS_OFFSET),
        counters.getLong(block + CountersLayout.DURATIONS_OFFSET),
        counters.getLong(block + CountersLayout.MAX_OFFSET),
        histogram,
        spent(block));
  }

  private CountRecord.@Nullable Spent spent(int block) {
    long since = counters.getLong(block + CountersLayout.SINCE_OFFSET);
    return since == 0
        ? null
        : new CountRecord.Spent(
            counters.getLong(block + CountersLayout.TOTAL_OFFSET),
            counters.getLong(block + CountersLayout.SELF_OFFSET),
            counters.getLong(block + CountersLayout.SQUARES_OFFSET),
            counters.getLong(block + CountersLayout.INTERVAL_OFFSET),
            counters.getLong(block + CountersLayout.UNPLACED_OFFSET),
            since);
  }

  private long flush(long clock) throws IOException {
    int size = packet.position();
    if (size == 0) {
      return 0;
    }
    StreamFile file = stream;
    if (file == null) {
      file = new StreamFile(streamPath);
      stream = file;
    }
    long now = Math.max(clock, file.lastClock());
    PacketLayout.open(packet, 0, uuid, StreamClass.COUNTS, process, 0);
    PacketLayout.begin(packet, 0, now, 0, file.nextPacket(), 0);
    PacketLayout.close(packet, 0, now, size);
    file.append(packet.flip());
    packet.clear();
    return size;
  }

  @Override
  public void close() throws IOException {
    if (stream != null) {
      stream.close();
    }
  }
}
