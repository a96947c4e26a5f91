package dev.kymo.importers.perf.records;

import com.github.luben.zstd.ZstdInputStream;
import dev.kymo.importers.target.ForeignException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A perf.data file, in file or pipe mode, of either byte order.
 *
 * <pre>
 *   file mode: header of 104 bytes; attributes, records and features where it says
 *     byte  0  "PERFILE2"            byte 40  u64 records: offset, u64 size
 *           8  u64 104                    56  u64 event types: offset, u64 size
 *          16  u64 bytes of an attribute  72  u64[4] which features follow the records
 *          24  u64 attributes: offset, u64 size
 *   pipe mode: "PERFILE2", u64 16; then records only, some of which are what a header says
 * </pre>
 */
public final class PerfData implements AutoCloseable {
  private static final String MAGIC = "PERFILE2";
  private static final int PIPE_HEADER = 16;
  private static final int FILE_HEADER = 104;
  private static final int LARGEST_ATTRIBUTE = 4096;
  private static final int MOST_ATTRIBUTES = 65_536;
  private static final int MOST_IDS = 1 << 20;
  private static final int RECORD_HEADER = 8;

  private static final int HEADER_ATTRIBUTE = 64;
  private static final int EVENT_TYPE = 65;
  private static final int TRACING_DATA = 66;
  private static final int AUXTRACE = 71;
  private static final int EVENT_UPDATE = 78;
  private static final int HEADER_FEATURE = 80;
  private static final int COMPRESSED = 81;

  private static final int EVENT_UPDATE_NAME = 2;

  private final Path path;
  private final FileChannel file;
  private final PerfInput input;
  private final RecordFields fields = new RecordFields();
  private final PerfFeatures features = new PerfFeatures();
  private final boolean pipe;
  private final long end;
  private @Nullable ZstdInputStream zstd;
  private final Chunks compressed = new Chunks();
  private final ByteArrayOutputStream left = new ByteArrayOutputStream();
  private @Nullable ByteBuffer unpacked;
  private long recordAt;

  /** Compressed bytes, which come in pieces. */
  private static final class Chunks extends InputStream {
    private byte[] bytes = {};
    private int at;

    void next(byte[] more) {
      bytes = more;
      at = 0;
    }

    @Override
    public int read() {
      return at < bytes.length ? bytes[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] to, int from, int length) {
      int count = Math.min(length, bytes.length - at);
      if (count <= 0) {
        return -1;
      }
      System.arraycopy(bytes, at, to, from, count);
      at += count;
      return count;
    }
  }

  /** Opens a file and reads what it says before its records. */
  public PerfData(Path path) throws IOException {
    this.path = path;
    this.file = FileChannel.open(path, StandardOpenOption.READ);
    try {
      this.input = new PerfInput(path, file);
      ByteBuffer magic = input.read(0, PIPE_HEADER);
      long header = magic.getLong(8);
      if (header != PIPE_HEADER && header != FILE_HEADER) {
        input.swap();
        header = magic.order(input.order()).getLong(8);
      }
      if (header != PIPE_HEADER && header != FILE_HEADER) {
        throw new ForeignException("perf's header has no known size", path, 8, "size=" + header);
      }
      this.pipe = header == PIPE_HEADER;
      if (pipe) {
        input.position(PIPE_HEADER);
        this.end = file.size();
      } else {
        this.end = readHeader();
      }
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  public static boolean begins(byte[] head) {
    if (head.length < PIPE_HEADER) {
      return false;
    }
    String magic = new String(head, 0, 8, StandardCharsets.ISO_8859_1);
    return magic.equals(MAGIC) || magic.equals(new StringBuilder(MAGIC).reverse().toString());
  }

  private long readHeader() throws IOException {
    ByteBuffer header = input.read(0, FILE_HEADER);
    long attributeSize = header.getLong(16);
    long begin = header.getLong(24);
    long size = header.getLong(32);
    long data = header.getLong(40);
    long dataSize = header.getLong(48);
    if (attributeSize < Attribute.SMALLEST + 16
        || attributeSize > LARGEST_ATTRIBUTE
        || size < 0
        || size / attributeSize > MOST_ATTRIBUTES) {
      throw new ForeignException(
          "attributes have no possible size", path, 16, "size=" + attributeSize + " all=" + size);
    }
    if (data < FILE_HEADER || data > file.size() || dataSize < 0) {
      throw new ForeignException(
          "records are not in the file", path, 40, "offset=" + data + " size=" + dataSize);
    }
    boolean cut = dataSize == 0 || dataSize > file.size() - data; // perf was killed
    long last = cut ? file.size() : data + dataSize;
    if (!cut) {
      features.read(input, last, header);
    }
    for (long at = begin; at + attributeSize <= begin + size; at += attributeSize) {
      readAttribute(at, (int) attributeSize);
    }
    input.position(data);
    return last;
  }

  private void readAttribute(long at, int size) throws IOException {
    ByteBuffer bytes = input.read(at, size);
    Attribute attribute = Attribute.read(bytes, size - 16);
    long begin = bytes.getLong(size - 16);
    long length = bytes.getLong(size - 8);
    if (length < 0 || length / Long.BYTES > MOST_IDS) {
      throw new ForeignException("too many ids", path, at + size - 8, "bytes=" + length);
    }
    List<Long> ids = new ArrayList<>();
    ByteBuffer numbers = input.read(begin, (int) length);
    while (numbers.remaining() >= Long.BYTES) {
      ids.add(numbers.getLong());
    }
    add(attribute, ids);
  }

  private void add(Attribute attribute, List<Long> ids) {
    String name = features.name(ids, attribute);
    fields.add(new PerfRecord.Event(attribute, name), ids);
  }

  /** What the file says of its host and clock. */
  public PerfFeatures features() {
    return features;
  }

  /** Whether an event with this name is recorded: {@code sched:sched_switch}. */
  public boolean records(String event) {
    return fields.has(event);
  }

  /** A bound on the numbers of processors, found by reading the whole file. */
  public int countProcessors() throws IOException {
    int last = 0;
    try (PerfData all = new PerfData(path)) {
      for (PerfRecord next = all.next(); next != null; next = all.next()) {
        last =
            switch (next) {
              case PerfRecord.Sample sample -> Math.max(last, sample.cpu());
              case PerfRecord.Switch by -> Math.max(last, by.cpu());
              default -> last;
            };
      }
    }
    return last == Integer.MAX_VALUE ? last : last + 1;
  }

  /** Bytes read so far. */
  public long position() {
    return input.position();
  }

  /** Bytes to be read. */
  public long size() {
    return end;
  }

  /** Where the record is that was read last. */
  public long recordAt() {
    return recordAt;
  }

  /** The next record; null at the end. */
  public @Nullable PerfRecord next() throws IOException {
    while (true) {
      ByteBuffer packed = unpacked;
      if (packed != null) {
        PerfRecord record = unpackedRecord(packed);
        if (record != null) {
          return record;
        }
        unpacked = null;
      }
      if (input.position() + RECORD_HEADER > end) {
        return null;
      }
      recordAt = input.position();
      ByteBuffer header = input.next(RECORD_HEADER);
      int size = header.getShort(6) & 0xFFFF;
      if (size < RECORD_HEADER) {
        throw new ForeignException("record is too small", path, recordAt, "size=" + size);
      }
      if (recordAt + size > end) {
        return null; // cut: perf was killed
      }
      PerfRecord record =
          record(header.getInt(0), header.getShort(4) & 0xFFFF, input.next(size - RECORD_HEADER));
      if (record != null) {
        return record;
      }
    }
  }

  private @Nullable PerfRecord record(int type, int misc, ByteBuffer body) throws IOException {
    try {
      switch (type) {
        case HEADER_ATTRIBUTE -> headerAttribute(body);
        case EVENT_TYPE -> eventType(body);
        case EVENT_UPDATE -> eventUpdate(body);
        case HEADER_FEATURE -> features.add((int) body.getLong(), body);
        case TRACING_DATA -> tracingData(body.getInt());
        case AUXTRACE -> skip(body.getLong());
        case COMPRESSED -> {
          unpack(body);
          return null;
        }
        default -> {
          return fields.read(type, misc, body);
        }
      }
      return new PerfRecord.Other(type);
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new ForeignException("record is too short", path, recordAt, "type=" + type);
    } catch (IllegalStateException e) {
      throw new ForeignException(String.valueOf(e.getMessage()), path, recordAt, "type=" + type);
    }
  }

  private void headerAttribute(ByteBuffer body) {
    if (body.remaining() < Attribute.SMALLEST) {
      throw new BufferUnderflowException();
    }
    int size = Math.clamp(body.getInt(body.position() + 4), Attribute.SMALLEST, body.remaining());
    Attribute attribute = Attribute.read(body, size);
    body.position(body.position() + size);
    List<Long> ids = new ArrayList<>();
    while (body.remaining() >= Long.BYTES) {
      ids.add(body.getLong());
    }
    add(attribute, ids);
  }

  private void eventType(ByteBuffer body) {
    long config = body.getLong();
    features.type(config, PerfFeatures.text(body, body.remaining()));
  }

  private void eventUpdate(ByteBuffer body) {
    long kind = body.getLong();
    long id = body.getLong();
    if (kind == EVENT_UPDATE_NAME) {
      fields.rename(id, PerfFeatures.text(body, body.remaining()));
    }
  }

  private void tracingData(int size) throws IOException {
    long begin = input.position();
    skip((size & 0xFFFF_FFFFL) + 7 & ~7L);
    features.kernel(input.read(begin, size), input.place(begin));
  }

  private void skip(long bytes) throws IOException {
    if (bytes < 0 || bytes > end - input.position()) {
      throw new ForeignException(
          "bytes after a record are not in the file", path, recordAt, "bytes=" + bytes);
    }
    input.position(input.position() + bytes);
  }

  private void unpack(ByteBuffer body) throws IOException {
    byte[] bytes = new byte[body.remaining()];
    body.get(bytes);
    compressed.next(bytes);
    ZstdInputStream stream = zstd;
    if (stream == null) {
      stream = new ZstdInputStream(compressed);
      stream.setContinuous(true);
      zstd = stream;
    }
    try {
      byte[] piece = new byte[64 * 1024];
      for (int count = stream.read(piece); count > 0; count = stream.read(piece)) {
        left.write(piece, 0, count);
        if (left.size() > 64 << 20) {
          throw new ForeignException("records unpack to too much", path, recordAt, "");
        }
      }
    } catch (com.github.luben.zstd.ZstdIOException e) {
      throw new ForeignException(
          "compressed records are damaged", path, recordAt, "error=\"" + e.getMessage() + "\"");
    }
    unpacked = ByteBuffer.wrap(left.toByteArray()).order(input.order());
    left.reset();
  }

  private @Nullable PerfRecord unpackedRecord(ByteBuffer packed) throws IOException {
    while (packed.remaining() >= RECORD_HEADER) {
      int at = packed.position();
      int size = packed.getShort(at + 6) & 0xFFFF;
      if (size < RECORD_HEADER) {
        throw new ForeignException("record is too small", path, recordAt, "size=" + size);
      }
      if (size > packed.remaining()) {
        break; // its rest is in the next piece
      }
      ByteBuffer body = packed.slice(at + RECORD_HEADER, size - RECORD_HEADER).order(input.order());
      packed.position(at + size);
      int type = packed.getInt(at);
      boolean nested = type == COMPRESSED || type == TRACING_DATA || type == AUXTRACE;
      PerfRecord record =
          nested
              ? new PerfRecord.Other(type)
              : record(type, packed.getShort(at + 4) & 0xFFFF, body);
      if (record != null) {
        return record;
      }
    }
    byte[] rest = new byte[packed.remaining()];
    packed.get(rest);
    left.write(rest, 0, rest.length);
    return null;
  }

  @Override
  public void close() throws IOException {
    ZstdInputStream stream = zstd;
    if (stream != null) {
      stream.close();
    }
    file.close();
  }
}
