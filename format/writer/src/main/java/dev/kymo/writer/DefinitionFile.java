package dev.kymo.writer;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketEncoder;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** The definitions of a process, or of the recording as a whole (process 0). */
public final class DefinitionFile implements AutoCloseable {
  private static final int PACKET = 64 * 1024;

  private final PacketEncoder packet;
  private final PacketFile file;
  private long last;

  /** A new stream in a recording's directory. */
  public DefinitionFile(Path directory, UUID uuid, int process) throws IOException {
    this(directory.resolve("p" + process + "-definitions"), uuid, process, 0);
  }

  /** A new stream; the instance tells it from the process's other streams. */
  public DefinitionFile(Path path, UUID uuid, int process, int instance) throws IOException {
    this.packet = new PacketEncoder(uuid, StreamClass.DEFINITIONS, process, instance, PACKET);
    this.file = new PacketFile(path, packet).create();
  }

  /** Appends a definition; it is in the file after {@link #flush}. */
  public void define(long clock, Definition what) throws IOException {
    long at = Math.max(clock, last);
    if (!file.isOpenFor(DefinitionCodec.MAX_SIZE)) {
      packet.open(at, 0);
    }
    packet.definition(at, what);
    last = at;
  }

  /** Bytes in the file. */
  public long written() {
    return file.written();
  }

  public void flush() throws IOException {
    file.flush();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
