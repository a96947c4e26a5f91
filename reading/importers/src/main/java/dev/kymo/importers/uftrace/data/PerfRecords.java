package dev.kymo.importers.uftrace.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Records of the kernel's perf events of a processor, {@code perf-cpuN.dat}; each ends with
 * process, task and time:
 *
 * <pre>
 *  0  u32  type    4  u16  flags    6  u16  size of all of it
 *  8  what the type has, then u32 pid, u32 tid, u64 time
 * </pre>
 */
public final class PerfRecords implements AutoCloseable {
  private static final int HEADER = 8;
  private static final int END = 16;
  private static final int OUT = 1 << 13;
  private static final int PREEMPTED = 1 << 14;

  private final Input in;
  private Type type = Type.OTHER;
  private long offset;
  private boolean whole = true;
  private int pid;
  private int tid;
  private int parent;
  private long time;
  private long lost;
  private String name = "";

  /** What a record is. */
  public enum Type {
    NAME,
    EXIT,
    NEW,
    IN,
    OUT,
    PREEMPTED,
    LOST,
    OTHER
  }

  public PerfRecords(Path file, ByteOrder order) throws IOException {
    in = new Input(file, order);
  }

  /** Reads the next record; false at the end, or where no record is. */
  public boolean advance() throws IOException {
    offset = in.offset();
    ByteBuffer header = in.read(HEADER);
    if (header.remaining() < HEADER) {
      whole = header.remaining() == 0;
      return false;
    }
    int number = header.getInt();
    int flags = header.getShort() & 0xFFFF;
    int size = (header.getShort() & 0xFFFF) - HEADER;
    ByteBuffer bytes = in.read(Math.max(0, size));
    whole = size >= END && bytes.remaining() == size;
    if (whole) {
      read(number, flags, bytes);
    }
    return whole && time >= 0;
  }

  private void read(int number, int flags, ByteBuffer bytes) {
    int end = bytes.limit() - END;
    pid = bytes.getInt(end);
    tid = bytes.getInt(end + 4);
    time = bytes.getLong(end + 8);
    type = type(number, flags, end);
    switch (type) {
      case NAME -> {
        pid = bytes.getInt(0);
        tid = bytes.getInt(4);
        name = text(bytes, 8, end);
      }
      case EXIT, NEW -> {
        pid = bytes.getInt(0);
        parent = bytes.getInt(4);
        tid = bytes.getInt(8);
        time = bytes.getLong(16);
      }
      case LOST -> lost = Math.max(0, bytes.getLong(8));
      default -> {
        // the end has it all
      }
    }
  }

  /** The type of a record with these many bytes before its end. */
  private static Type type(int number, int flags, int size) {
    return switch (number) {
      case 2 -> size >= 16 ? Type.LOST : Type.OTHER;
      case 3 -> size >= 8 ? Type.NAME : Type.OTHER;
      case 4 -> size >= 24 ? Type.EXIT : Type.OTHER;
      case 7 -> size >= 24 ? Type.NEW : Type.OTHER;
      case 14 ->
          (flags & OUT) == 0 ? Type.IN : (flags & PREEMPTED) == 0 ? Type.OUT : Type.PREEMPTED;
      default -> Type.OTHER;
    };
  }

  private static String text(ByteBuffer bytes, int from, int to) {
    int end = from;
    while (end < to && bytes.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end - from];
    bytes.get(from, name);
    return new String(name, StandardCharsets.UTF_8);
  }

  public Type type() {
    return type;
  }

  public boolean isWhole() {
    return whole;
  }

  public long offset() {
    return offset;
  }

  public long time() {
    return time;
  }

  public int pid() {
    return pid;
  }

  public int tid() {
    return tid;
  }

  /** The process that made a new one. */
  public int parent() {
    return parent;
  }

  public long lost() {
    return lost;
  }

  /** New name of a task. */
  public String name() {
    return name;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
