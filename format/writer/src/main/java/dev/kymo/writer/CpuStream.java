package dev.kymo.writer;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.KernelRecord;
import dev.kymo.format.PacketEncoder;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** The events of one processor, as the kernel wrote them. */
public final class CpuStream implements AutoCloseable {
  private static final int PACKET = 1024 * 1024;
  private static final long CLOCK_WRAPS = 1L << 32;

  private final int cpu;
  private final PacketEncoder packet;
  private final PacketFile file;

  /** A new stream in a recording's directory, with the name that a recording's own have. */
  public static CpuStream in(Path directory, UUID uuid, int process, int cpu) throws IOException {
    return new CpuStream(directory.resolve("kernel-cpu-" + cpu), uuid, process, cpu);
  }

  public CpuStream(Path path, UUID uuid, int process, int cpu) throws IOException {
    this.cpu = cpu;
    this.packet = new PacketEncoder(uuid, StreamClass.KERNEL, process, cpu, PACKET);
    this.file = new PacketFile(path, packet).create();
  }

  /** Appends an event; its clock must not be before the last event's. */
  public void event(
      long clock, int id, KernelEventFormat format, byte[] event, int offset, int size)
      throws IOException {
    if (packet.isOpen() && clock - packet.clock() >= CLOCK_WRAPS) {
      file.flush();
    }
    if (!file.isOpenFor(KernelRecord.sizeBound(size))) {
      packet.open(clock, cpu);
    }
    packet.kernel(clock, id, format, event, offset, size);
  }

  /** Reports events that are missing here. */
  public void lose(long count) throws IOException {
    file.lose(count);
  }

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
