package dev.kymo.importers.jfr.reader;

import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A file of the Flight Recorder: whole chunks, one after the other. */
public final class JfrReader implements AutoCloseable {
  private static final int METADATA = 0;
  private static final int CONSTANTS = 1;
  private static final int STEP = 1 << 22;

  private final JfrBytes bytes;
  private final Values values;
  private final List<JfrChunk> chunks = new ArrayList<>();

  /** By chunk, when the first event of it and all later chunks begins. */
  private long[] firsts = {};

  private long whole;

  /** Takes what is in a file. */
  public interface Sink {
    void chunk(JfrChunk chunk, Constants constants) throws IOException;

    /** An event, with a value for each field of its type, see {@link Values}. */
    void event(JfrType type, Object[] fields) throws IOException;

    /** An event of a type that the chunk does not describe. */
    void unknown(long type, long offset) throws IOException;

    /** No event that follows begins before this time, in nanoseconds since 1970. */
    void settled(long nanos) throws IOException;

    /** So many bytes have been read. */
    void at(long bytes);
  }

  private JfrReader(JfrBytes bytes) {
    this.bytes = bytes;
    this.values = new Values(bytes);
  }

  /**
   * Opens a file and finds its chunks.
   *
   * @throws ForeignException if it has no whole chunk, or of another version
   */
  public static JfrReader open(Path path) throws IOException {
    JfrReader reader = new JfrReader(new JfrBytes(path));
    try {
      reader.findChunks();
      return reader;
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  private void findChunks() throws IOException {
    while (bytes.size() - whole >= JfrChunk.HEADER_SIZE) {
      JfrChunk chunk = header(whole);
      if (chunk.size() == 0 || chunk.size() > bytes.size() - whole) {
        break; // it was being written
      }
      chunks.add(chunk);
      whole = chunk.end();
    }
    if (chunks.isEmpty()) {
      bytes.seek(bytes.size());
      throw bytes.wrong("the file ends within its first chunk", "size=" + bytes.size());
    }
  }

  private JfrChunk header(long offset) throws IOException {
    bytes.limit(bytes.size());
    bytes.seek(offset);
    long magic = bytes.fixed(4);
    long major = bytes.fixed(2);
    long minor = bytes.fixed(2);
    if (magic != JfrChunk.MAGIC) {
      bytes.seek(offset);
      throw bytes.wrong("no chunk of the Flight Recorder begins here", "");
    }
    if (major < 1 || major > 2) {
      bytes.seek(offset + 4);
      throw bytes.wrong(
          "only versions 1 and 2 of the Flight Recorder's files can be read",
          "version=" + major + "." + minor);
    }
    long size = bytes.fixed(8);
    bytes.fixed(8); // the last constants: all are found on the way
    long metadata = bytes.fixed(8);
    long startNanos = bytes.fixed(8);
    bytes.fixed(8); // duration
    long startTicks = bytes.fixed(8);
    long frequency = bytes.fixed(8);
    boolean compressed = (bytes.fixed(4) & 1) != 0;
    check(offset, size, metadata, frequency);
    return new JfrChunk(
        offset, size, offset + metadata, startNanos, startTicks, frequency, compressed);
  }

  private void check(long offset, long size, long metadata, long frequency) throws IOException {
    boolean whole = size != 0 && size <= bytes.size() - offset;
    boolean wrong =
        size < 0
            || (whole
                && (size < JfrChunk.HEADER_SIZE
                    || metadata < JfrChunk.HEADER_SIZE
                    || metadata >= size
                    || frequency <= 0));
    if (wrong) {
      bytes.seek(offset);
      throw bytes.wrong(
          "impossible header of a chunk",
          "size=%d metadata=%d frequency=%d".formatted(size, metadata, frequency));
    }
  }

  /** Its whole chunks; at least one. */
  public List<JfrChunk> chunks() {
    return chunks;
  }

  /** Bytes of the whole chunks: what comes after is a chunk that was not written to its end. */
  public long whole() {
    return whole;
  }

  /** Bytes of the file. */
  public long size() {
    return bytes.size();
  }

  /** Nanoseconds since 1970 at which the first event begins; to be asked before reading. */
  public long first() throws IOException {
    firsts = new long[chunks.size()];
    long first = Long.MAX_VALUE;
    for (int i = chunks.size() - 1; i >= 0; i--) {
      first = Math.min(first, first(chunks.get(i)));
      firsts[i] = first;
    }
    return first == Long.MAX_VALUE ? chunks.get(0).startNanos() : first;
  }

  /** Each type of events says first when an event begins. */
  private long first(JfrChunk chunk) throws IOException {
    long first = Long.MAX_VALUE;
    bytes.compressed(chunk.compressed());
    long at = chunk.offset() + JfrChunk.HEADER_SIZE;
    while (at < chunk.end()) {
      long end = begin(at, chunk);
      long type = bytes.i64();
      if (type != METADATA && type != CONSTANTS && bytes.position() < end) {
        first = Math.min(first, chunk.nanos(bytes.i64()));
      }
      at = end;
    }
    return first;
  }

  public void read(Sink sink) throws IOException {
    for (int i = 0; i < chunks.size(); i++) {
      JfrChunk chunk = chunks.get(i);
      bytes.compressed(chunk.compressed());
      Map<Long, JfrType> types = new TypeReader(bytes).read(chunk);
      sink.chunk(chunk, constants(chunk, types));
      events(chunk, types, sink);
      sink.at(chunk.end());
      if (i + 1 < firsts.length) {
        sink.settled(firsts[i + 1]);
      }
    }
  }

  private Constants constants(JfrChunk chunk, Map<Long, JfrType> types) throws IOException {
    Constants constants = new Constants();
    long at = chunk.offset() + JfrChunk.HEADER_SIZE;
    while (at < chunk.end()) {
      long end = begin(at, chunk);
      if (bytes.i64() == CONSTANTS) {
        constants.read(bytes, values, types);
      }
      at = end;
    }
    return constants;
  }

  /** Goes to an event's type; returns where the event ends. */
  private long begin(long at, JfrChunk chunk) throws IOException {
    bytes.limit(chunk.end());
    bytes.seek(at);
    int size = bytes.i32();
    if (size <= 0 || size > chunk.end() - at) {
      bytes.seek(at);
      throw bytes.wrong("impossible size of an event", "size=" + size);
    }
    bytes.limit(at + size);
    return at + size;
  }

  private void events(JfrChunk chunk, Map<Long, JfrType> types, Sink sink) throws IOException {
    long at = chunk.offset() + JfrChunk.HEADER_SIZE;
    long told = at;
    while (at < chunk.end()) {
      long end = begin(at, chunk);
      long id = bytes.i64();
      if (id != METADATA && id != CONSTANTS) {
        JfrType type = types.get(id);
        if (type == null) {
          sink.unknown(id, at);
        } else {
          sink.event(type, values.struct(type));
        }
      }
      at = end;
      if (at - told >= STEP) {
        sink.at(at);
        told = at;
      }
    }
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
