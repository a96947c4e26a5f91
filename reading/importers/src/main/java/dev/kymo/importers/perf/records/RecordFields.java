package dev.kymo.importers.perf.records;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes records apart, by what the attributes say is in them. */
final class RecordFields {
  static final int MMAP = 1;
  static final int LOST = 2;
  static final int COMM = 3;
  static final int EXIT = 4;
  static final int FORK = 7;
  static final int SAMPLE = 9;
  static final int MMAP2 = 10;
  static final int LOST_SAMPLES = 13;
  static final int SWITCH = 14;
  static final int SWITCH_CPU_WIDE = 15;

  private static final int CPU_MODE = 7;
  private static final int MODE_USER = 2;
  private static final int COMM_EXEC = 1 << 13;
  private static final int SWITCH_OUT = 1 << 13;
  private static final int SWITCH_OUT_PREEMPT = 1 << 14;
  private static final int MMAP_BUILD_ID = 1 << 14;

  private static final long IP = 1;
  private static final long TID = 1 << 1;
  private static final long TIME = 1 << 2;
  private static final long ADDRESS = 1 << 3;
  private static final long READ = 1 << 4;
  static final long CALLS = 1 << 5;
  private static final long ID = 1 << 6;
  private static final long CPU = 1 << 7;
  private static final long PERIOD = 1 << 8;
  private static final long STREAM = 1 << 9;
  private static final long RAW = 1 << 10;
  private static final long IDENTIFIER = 1 << 16;

  private final Map<Long, PerfRecord.Event> byId = new HashMap<>();
  private PerfRecord.@Nullable Event first;

  /** An attribute, with the numbers that its samples carry. */
  void add(PerfRecord.Event event, Collection<Long> ids) {
    if (first == null) {
      first = event;
    }
    ids.forEach(id -> byId.put(id, event));
  }

  /** Whether any event has a name, with or without a modifier. */
  boolean has(String name) {
    PerfRecord.Event any = first;
    return (any != null && any.name().startsWith(name))
        || byId.values().stream().anyMatch(event -> event.name().startsWith(name));
  }

  /** Takes a name that comes later. */
  void rename(long id, String name) {
    PerfRecord.Event known = byId.get(id);
    if (known != null) {
      PerfRecord.Event named = new PerfRecord.Event(known.attribute(), name);
      byId.replaceAll((number, event) -> event.equals(known) ? named : event);
      first = known.equals(first) ? named : first;
    }
  }

  /**
   * Reads a record.
   *
   * @param body without its header
   * @throws BufferUnderflowException if it is shorter than it must be
   */
  PerfRecord read(int type, int misc, ByteBuffer body) {
    return switch (type) {
      case SAMPLE -> sample(misc, body);
      case COMM -> {
        int pid = body.getInt();
        int tid = body.getInt();
        String name = text(body);
        yield new PerfRecord.Comm(pid, tid, trailer(body, TIME), name, (misc & COMM_EXEC) != 0);
      }
      case FORK, EXIT -> forkOrExit(type, body);
      case MMAP, MMAP2 -> mapped(type, misc, body);
      case LOST -> {
        body.getLong();
        long count = body.getLong();
        yield new PerfRecord.Lost((int) trailer(body, CPU), trailer(body, TIME), count);
      }
      case LOST_SAMPLES ->
          new PerfRecord.Lost((int) trailer(body, CPU), trailer(body, TIME), body.getLong());
      case SWITCH, SWITCH_CPU_WIDE -> switched(type, misc, body);
      default -> new PerfRecord.Other(type);
    };
  }

  private PerfRecord switched(int type, int misc, ByteBuffer body) {
    int who = trailerAt(body, TID);
    int cpu = (int) trailer(body, CPU);
    long time = trailer(body, TIME);
    if (who < 0 || cpu < 0 || time < 0) {
      return new PerfRecord.Other(type);
    }
    int other = -1;
    if (type == SWITCH_CPU_WIDE) {
      body.getInt();
      other = body.getInt();
    }
    boolean out = (misc & SWITCH_OUT) != 0;
    boolean preempted = (misc & SWITCH_OUT_PREEMPT) != 0;
    int tid = body.getInt(who + Integer.BYTES);
    return new PerfRecord.Switch(cpu, time, tid, other, out, preempted);
  }

  private static PerfRecord forkOrExit(int type, ByteBuffer body) {
    int pid = body.getInt();
    int parent = body.getInt();
    int tid = body.getInt();
    body.getInt();
    long time = body.getLong();
    return type == FORK
        ? new PerfRecord.Fork(pid, parent, tid, time)
        : new PerfRecord.Exit(pid, tid, time);
  }

  private PerfRecord mapped(int type, int misc, ByteBuffer body) {
    long time = trailer(body, TIME);
    int pid = body.getInt();
    body.getInt();
    long begin = body.getLong();
    long length = body.getLong();
    long offset = body.getLong();
    String buildId = "";
    if (type == MMAP2) {
      byte[] identity = new byte[24];
      body.get(identity);
      body.getLong(); // protection and flags
      int size = Math.min(identity[0] & 0xFF, identity.length - 4);
      buildId = (misc & MMAP_BUILD_ID) != 0 ? HexFormat.of().formatHex(identity, 4, 4 + size) : "";
    }
    return new PerfRecord.Mapped(pid, time, begin, length, offset, text(body), buildId);
  }

  private static String text(ByteBuffer body) {
    int begin = body.position();
    int end = begin;
    while (end < body.limit() && body.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - begin];
    body.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** One of the fields that other records than samples end with; -1 if it is not there. */
  private long trailer(ByteBuffer body, long wanted) {
    int at = trailerAt(body, wanted);
    return at < 0 ? -1 : wanted == CPU ? body.getInt(at) : body.getLong(at);
  }

  private int trailerAt(ByteBuffer body, long wanted) {
    PerfRecord.Event any = first;
    if (any == null || !any.attribute().hasIds()) {
      return -1;
    }
    long type = any.attribute().sampleType();
    int at = body.limit();
    for (long field : new long[] {IDENTIFIER, CPU, STREAM, ID, TIME, TID}) {
      if ((type & field) != 0) {
        at -= Long.BYTES;
        if (field == wanted && at >= 0) {
          return at;
        }
      }
    }
    return -1;
  }

  private PerfRecord.Event event(ByteBuffer body) {
    PerfRecord.Event any = first;
    if (any == null) {
      throw new IllegalStateException("no attribute tells what samples are");
    }
    if (byId.size() < 2) {
      return any;
    }
    long type = any.attribute().sampleType();
    int at = body.position();
    if ((type & IDENTIFIER) == 0) {
      for (long field : new long[] {IP, TID, TIME, ADDRESS}) {
        at += (type & field) != 0 ? Long.BYTES : 0;
      }
    }
    boolean numbered = (type & (IDENTIFIER | ID)) != 0 && at + Long.BYTES <= body.limit();
    return numbered ? byId.getOrDefault(body.getLong(at), any) : any;
  }

  private PerfRecord sample(int misc, ByteBuffer body) {
    PerfRecord.Event event = event(body);
    Attribute attribute = event.attribute();
    long type = attribute.sampleType();
    if ((type & IDENTIFIER) != 0) {
      body.getLong();
    }
    long place = (type & IP) != 0 ? body.getLong() : 0;
    int pid = (type & TID) != 0 ? body.getInt() : 0;
    int tid = (type & TID) != 0 ? body.getInt() : 0;
    long time = (type & TIME) != 0 ? body.getLong() : -1;
    long address = (type & ADDRESS) != 0 ? body.getLong() : 0;
    skip(body, type, ID);
    skip(body, type, STREAM);
    int cpu = -1;
    if ((type & CPU) != 0) {
      cpu = body.getInt();
      body.getInt();
    }
    long period = (type & PERIOD) != 0 ? body.getLong() : 1;
    if ((type & READ) != 0) {
      skipValues(body, attribute.readFormat());
    }
    long[] stack = (type & CALLS) != 0 ? numbers(body) : new long[0];
    byte[] raw = (type & RAW) != 0 ? bytes(body) : new byte[0];
    boolean user = (misc & CPU_MODE) == MODE_USER;
    return new PerfRecord.Sample(
        event,
        pid,
        tid,
        time,
        cpu,
        address,
        period,
        user,
        stack.length > 0 || (type & IP) == 0 ? stack : new long[] {place},
        raw);
  }

  private static void skip(ByteBuffer body, long type, long field) {
    if ((type & field) != 0) {
      body.getLong();
    }
  }

  private static void skipValues(ByteBuffer body, long format) {
    int each = 1 + Long.bitCount(format & (4 | 16)); // id, lost
    int times = Long.bitCount(format & (1 | 2));
    boolean group = (format & 8) != 0;
    long count = group ? body.getLong() : 1;
    long skipped = times + count * each;
    if (count < 0 || count > body.remaining() || skipped * Long.BYTES > body.remaining()) {
      throw new BufferUnderflowException();
    }
    body.position(body.position() + (int) skipped * Long.BYTES);
  }

  private static long[] numbers(ByteBuffer body) {
    long count = body.getLong();
    if (count < 0 || count > body.remaining() / Long.BYTES) {
      throw new BufferUnderflowException();
    }
    long[] numbers = new long[(int) count];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = body.getLong();
    }
    return numbers;
  }

  private static byte[] bytes(ByteBuffer body) {
    int length = body.getInt();
    if (length < 0 || length > body.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    body.get(bytes);
    return bytes;
  }
}
