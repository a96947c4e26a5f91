package dev.kymo.writer;

import dev.kymo.format.PacketEncoder;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** Writes what happened on tracks that no ring wrote: calls, such as states of threads. */
public final class TrackStream implements AutoCloseable {
  private static final int PACKET = 256 * 1024;

  /** A switch, a detail and an end, all extended. */
  private static final int LARGEST = 3 * ThreadRecord.EXTENDED_SIZE + ThreadRecord.DETAIL_SIZE;

  private final PacketEncoder packet;
  private final PacketFile file;
  private final DefinitionFile definitions;

  /**
   * A new stream in a recording's directory.
   *
   * @param ring number among the streams of the process
   * @param definitions of what its records use; they are in their file before the records are in
   *     theirs
   */
  public TrackStream(Path directory, UUID uuid, int process, int ring, DefinitionFile definitions)
      throws IOException {
    this.definitions = definitions;
    this.packet = new PacketEncoder(uuid, StreamClass.THREADS, process, ring, PACKET);
    this.file = new PacketFile(directory.resolve("p" + process + "-ring-" + ring), packet).create();
  }

  /** Begins a state; clocks must not go back in a stream. */
  public void enter(int of, long clock, int method) throws IOException {
    prepare(of, clock);
    packet.record(clock, ThreadRecord.ENTER, method);
  }

  /**
   * Ends the innermost state.
   *
   * @param other track of the thread that ended it, 0 = unknown
   */
  public void leave(int of, long clock, int method, int other) throws IOException {
    prepare(of, clock);
    if (other != 0) {
      packet.record(clock, ThreadRecord.DETAIL, 0, ThreadRecord.detail(0, other));
    }
    packet.record(clock, ThreadRecord.LEAVE, method);
  }

  /** Ends the innermost call by an exception. */
  public void unwind(int of, long clock, int method) throws IOException {
    prepare(of, clock);
    packet.record(clock, ThreadRecord.UNWIND, method);
  }

  /** Writes an event of a program's own, with at most {@link ThreadRecord#MAX_DATA} bytes. */
  public void data(int of, long clock, int event, byte[] data) throws IOException {
    prepare(of, clock, LARGEST + data.length);
    packet.data(clock, event, data);
  }

  /** Writes an event of a program's own, with a number as argument. */
  public void event(int of, long clock, int event, long argument) throws IOException {
    prepare(of, clock);
    packet.record(clock, ThreadRecord.EVENT, event, argument);
  }

  private void prepare(int of, long clock) throws IOException {
    prepare(of, clock, LARGEST);
  }

  private void prepare(int of, long clock, int size) throws IOException {
    if (packet.isOpen() && !packet.hasRoom(size)) {
      flush();
    }
    if (!packet.isOpen()) {
      packet.open(clock, of);
    } else if (packet.thread() != of) {
      packet.record(clock, ThreadRecord.SWITCH, of);
    }
  }

  /** Reports missing events of which nothing is known. */
  public void lose(long count) throws IOException {
    flush();
    file.lose(count);
  }

  public void flush() throws IOException {
    definitions.flush();
    file.flush();
  }

  /** Bytes in the file. */
  public long written() {
    return file.written();
  }

  @Override
  public void close() throws IOException {
    definitions.flush();
    file.close();
  }
}
