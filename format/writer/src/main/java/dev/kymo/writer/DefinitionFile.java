package dev.kymo.writer;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;

/** The definitions of a process, or of the recording as a whole (process 0). */
public final class DefinitionFile implements AutoCloseable {
  private static final int PACKET = 64 * 1024;

  private final PacketFile file;
  private final ByteBuffer definition =
      ByteBuffer.allocate(DefinitionCodec.MAX_SIZE).order(ByteOrder.LITTLE_ENDIAN);
  private long last;

  /** A new stream in a recording's directory. */
  public DefinitionFile(Path directory, UUID uuid, int process) throws IOException {
    this(directory.resolve("p" + process + "-definitions"), uuid, process, 0);
  }

  /**
   * A new stream.
   *
   * @param instance tells it from others of the process
   */
  public DefinitionFile(Path path, UUID uuid, int process, int instance) throws IOException {
    this.file = new PacketFile(path, uuid, StreamClass.DEFINITIONS, process, instance, 0, PACKET);
  }

  /** Appends a definition; it is in the file after {@link #flush}. */
  public void define(long clock, Definition what) throws IOException {
    long at = Math.max(clock, last);
    DefinitionCodec.put(definition.clear(), at, what);
    int size = definition.flip().remaining();
    if (file.isOpen() && !file.hasRoom(size)) {
      file.flush();
    }
    if (!file.isOpen()) {
      file.open(at);
    }
    int position = file.position();
    definition.get(file.bytes(), position, size);
    file.advance(position + size, at);
    last = at;
  }

  /** Bytes in the file. */
  public long written() {
    return file.written();
  }

  /** Has everything in the file. */
  public void flush() throws IOException {
    file.flush();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
