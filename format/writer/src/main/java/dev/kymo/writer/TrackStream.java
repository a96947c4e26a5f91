package dev.kymo.writer;

import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;

/** What happened on tracks that no ring wrote: calls, such as states of threads. */
public final class TrackStream implements AutoCloseable {
  private static final int PACKET = 256 * 1024;

  /** A switch, a detail and an end, all extended. */
  private static final int LARGEST = 3 * ThreadRecord.EXTENDED_SIZE + ThreadRecord.DETAIL_SIZE;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final PacketFile file;
  private final DefinitionFile definitions;
  private int high;
  private int track;

  /**
   * A new stream in a recording's directory.
   *
   * @param ring number among the streams of the process
   * @param definitions of what its records use: in its file before they are in theirs
   */
  public TrackStream(Path directory, UUID uuid, int process, int ring, DefinitionFile definitions)
      throws IOException {
    this.definitions = definitions;
    this.file =
        new PacketFile(
            directory.resolve("p" + process + "-ring-" + ring),
            uuid,
            StreamClass.THREADS,
            process,
            ring,
            0,
            PACKET);
  }

  /** A state begins; clocks must not go back in a stream. */
  public void enter(int of, long clock, int method) throws IOException {
    prepare(of, clock);
    put(ThreadRecord.ENTER, clock, method);
  }

  /**
   * The innermost state ends.
   *
   * @param other track of the thread that ended it, 0 = unknown
   */
  public void leave(int of, long clock, int method, int other) throws IOException {
    prepare(of, clock);
    if (other != 0) {
      put(ThreadRecord.DETAIL, clock, 0);
      LONG.set(file.bytes(), file.position(), ThreadRecord.detail(0, other));
      file.advance(file.position() + ThreadRecord.DETAIL_SIZE, clock);
    }
    put(ThreadRecord.LEAVE, clock, method);
  }

  /** An event of a program's own, with a number as argument. */
  public void event(int of, long clock, int event, long argument) throws IOException {
    prepare(of, clock);
    put(ThreadRecord.EVENT, clock, event);
    LONG.set(file.bytes(), file.position(), argument);
    file.advance(file.position() + ThreadRecord.ARGUMENT_SIZE, clock);
  }

  private void prepare(int of, long clock) throws IOException {
    if (file.isOpen() && !file.hasRoom(LARGEST)) {
      flush();
    }
    if (!file.isOpen()) {
      file.open(clock, of);
      high = (int) (clock >>> 32);
      track = of;
    } else if (track != of) {
      put(ThreadRecord.SWITCH, clock, of);
      track = of;
    }
  }

  private void put(int id, long clock, int payload) {
    byte[] bytes = file.bytes();
    int at = file.position();
    if ((int) (clock >>> 32) == high) {
      LONG.set(bytes, at, ThreadRecord.compact(id, clock, payload));
      file.advance(at + ThreadRecord.COMPACT_SIZE, clock);
    } else {
      LONG.set(bytes, at, ThreadRecord.extendedFirst(id, clock));
      LONG.set(bytes, at + 8, ThreadRecord.extendedSecond(clock, payload));
      file.advance(at + ThreadRecord.EXTENDED_SIZE, clock);
      high = (int) (clock >>> 32);
    }
  }

  /** Events of which nothing is known are missing here. */
  public void lose(long count) throws IOException {
    flush();
    file.lose(count);
  }

  /** Has everything in the file. */
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
