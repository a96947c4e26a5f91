package dev.kymo.writer;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.KernelRecord;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** The events of one processor, as the kernel wrote them. */
public final class CpuStream implements AutoCloseable {
  private static final int PACKET = 1024 * 1024;
  private static final long CLOCK_WRAPS = 1L << 32;

  private final PacketFile file;

  /** A new stream in a recording's directory. */
  public CpuStream(Path directory, UUID uuid, int process, int cpu) throws IOException {
    this.file =
        new PacketFile(
            directory.resolve("kernel-cpu-" + cpu),
            uuid,
            StreamClass.KERNEL,
            process,
            cpu,
            cpu,
            PACKET);
  }

  /** Appends an event; its clock must not be before the last one's. */
  public void event(
      long clock, int id, KernelEventFormat format, byte[] event, int offset, int size)
      throws IOException {
    int bound = KernelRecord.sizeBound(size);
    if (file.isOpen() && (!file.hasRoom(bound) || clock - file.last() >= CLOCK_WRAPS)) {
      file.flush();
    }
    if (!file.isOpen()) {
      file.open(clock);
    }
    int at = file.position();
    int put = KernelRecord.put(file.bytes(), at, clock, id, format, event, offset, size);
    file.advance(at + put, clock);
  }

  /** Events are missing here. */
  public void lose(long count) throws IOException {
    file.lose(count);
  }

  /** Has everything in the file. */
  public void flush() throws IOException {
    file.flush();
  }

  /** Bytes in the file. */
  public long written() {
    return file.written();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
