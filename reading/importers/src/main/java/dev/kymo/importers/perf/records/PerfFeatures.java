package dev.kymo.importers.perf.records;

import dev.kymo.format.Redaction;
import dev.kymo.importers.linux.metadata.Input;
import dev.kymo.importers.linux.metadata.KernelMetadata;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts that a perf.data file has besides its records: host, command, names of events, clock. */
public final class PerfFeatures {
  private static final int TRACING_DATA = 1;
  private static final int BUILD_IDS = 2;
  private static final int HOST = 3;
  private static final int RELEASE = 4;
  private static final int PROCESSORS = 7;
  private static final int PROCESSOR = 8;
  private static final int COMMAND = 11;
  private static final int EVENTS = 12;
  private static final int CLOCK = 29;

  private static final int BITS = 256;
  private static final int BITS_AT = 72;
  private static final int LARGEST = 64 << 20;
  private static final int MOST = 4096;

  /** A build id: its bytes, where their number may be, and the flag that it is there. */
  private static final int ID = 24;

  private static final int ID_SIZE_AT = 20;
  private static final int HAS_ID_SIZE = 1 << 15;

  private final Map<String, String> buildIds = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();
  private final Map<Long, String> types = new HashMap<>();
  private String host = "unknown";
  private String release = "unknown";
  private String processor = "unknown";
  private String command = "";
  private int processors;
  private long wallOffset;
  private @Nullable KernelMetadata kernel;

  PerfFeatures() {}

  /** Reads those that follow the records. */
  void read(PerfInput input, long at, ByteBuffer header) throws IOException {
    long table = at;
    for (int bit = 0; bit < BITS; bit++) {
      long word = header.getLong(BITS_AT + bit / 64 * 8);
      if ((word >>> bit % 64 & 1) == 0) {
        continue;
      }
      if (table > input.size() - 16) {
        return;
      }
      ByteBuffer section = input.read(table, 16);
      table += 16;
      long begin = section.getLong();
      long size = section.getLong();
      if (begin >= 0 && size > 0 && size <= LARGEST && begin <= input.size() - size) {
        ByteBuffer bytes = input.read(begin, (int) size);
        if (bit == TRACING_DATA) {
          kernel(bytes, input.place(begin));
        } else {
          add(bit, bytes);
        }
      }
    }
  }

  /** Takes what the kernel says of its events. */
  void kernel(ByteBuffer bytes, Input.Place place) throws IOException {
    byte[] content = new byte[bytes.remaining()];
    bytes.get(content);
    kernel = KernelMetadata.ofPerf(content, place);
  }

  /** Takes one; what cannot be read is not known. */
  void add(int feature, ByteBuffer bytes) {
    try {
      switch (feature) {
        case BUILD_IDS -> buildIds(bytes);
        case HOST -> host = string(bytes);
        case RELEASE -> release = string(bytes);
        case PROCESSOR -> processor = string(bytes);
        case PROCESSORS -> processors = bytes.getInt();
        case COMMAND -> command = strings(bytes);
        case EVENTS -> events(bytes);
        case CLOCK -> clock(bytes);
        default -> {} // of no use here, as the architecture is
      }
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      // a damaged description; the records tell enough
    }
  }

  private static String string(ByteBuffer bytes) {
    return text(bytes, bytes.getInt());
  }

  static String text(ByteBuffer bytes, int length) {
    if (length < 0 || length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] characters = new byte[length];
    bytes.get(characters);
    int end = 0;
    while (end < length && characters[end] != 0) {
      end++;
    }
    return new String(characters, 0, end, StandardCharsets.UTF_8);
  }

  private static String strings(ByteBuffer bytes) {
    int count = Math.min(bytes.getInt(), MOST);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      all.append(i == 0 ? "" : String.valueOf(Redaction.BETWEEN)).append(string(bytes));
    }
    return all.toString();
  }

  /**
   * Takes the build ids of files.
   *
   * <pre>
   *   u32 type  u16 flags  u16 size  i32 pid  id: 20 bytes, u8 of them that count  3 bytes  file
   * </pre>
   */
  private void buildIds(ByteBuffer bytes) {
    while (bytes.remaining() >= ID) {
      int end = bytes.position();
      bytes.getInt(); // type
      int flags = bytes.getShort();
      end += bytes.getShort() & 0xFFFF;
      bytes.getInt(); // process
      byte[] id = new byte[ID];
      bytes.get(id);
      int size = (flags & HAS_ID_SIZE) != 0 ? Math.min(id[ID_SIZE_AT], ID_SIZE_AT) : ID_SIZE_AT;
      String file = text(bytes, end - bytes.position());
      if (size > 0 && buildIds.size() < LARGEST / ID) {
        buildIds.put(file, HexFormat.of().formatHex(id, 0, size));
      }
    }
  }

  /** The build id of a file, in hexadecimal digits; empty if perf does not say it. */
  public String buildId(String file) {
    return buildIds.getOrDefault(file, "");
  }

  private void events(ByteBuffer bytes) {
    int count = Math.min(bytes.getInt(), MOST);
    int size = bytes.getInt();
    for (int i = 0; i < count; i++) {
      bytes.position(bytes.position() + size);
      int ids = bytes.getInt();
      String name = string(bytes);
      for (int id = 0; id < ids; id++) {
        names.put(bytes.getLong(), name);
      }
      if (ids == 0) {
        types.putIfAbsent((long) i, name);
      }
    }
  }

  private void clock(ByteBuffer bytes) {
    bytes.getInt(); // version
    bytes.getInt(); // which clock
    long wall = bytes.getLong();
    wallOffset = wall - bytes.getLong();
  }

  /** Old versions name events by their configuration. */
  void type(long config, String name) {
    types.put(config, name);
  }

  String name(List<Long> ids, Attribute attribute) {
    for (long id : ids) {
      String name = names.get(id);
      if (name != null) {
        return name;
      }
    }
    boolean tracepoint = attribute.type() == Attribute.TRACEPOINT;
    return tracepoint ? types.getOrDefault(attribute.config(), attribute.name()) : attribute.name();
  }

  /** What the kernel says of its events; null if the file does not have it. */
  public @Nullable KernelMetadata kernel() {
    return kernel;
  }

  public String host() {
    return host;
  }

  /** Release of the kernel. */
  public String release() {
    return release;
  }

  public String processor() {
    return processor;
  }

  /** The command line of perf itself, as {@link Redaction#of(String)} takes it. */
  public String command() {
    return command;
  }

  public int processors() {
    return processors;
  }

  /** Wall time at which the clock was 0, nanoseconds since 1970; 0 = not known. */
  public long wallOffset() {
    return wallOffset;
  }
}
