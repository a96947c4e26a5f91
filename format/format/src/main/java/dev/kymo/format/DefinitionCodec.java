package dev.kymo.format;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Bytes of the {@link Definition}s.
 *
 * <pre>
 *   byte  0  u8   255
 *         1  u32  id
 *         5  u64  clock
 *        13  fields in the order of the record's components; strings UTF-8, ended by a zero byte
 * </pre>
 */
public final class DefinitionCodec {
  public static final int RECORDING = 0;
  public static final int PROCESS = 1;
  public static final int THREAD = 2;
  public static final int TYPE = 3;
  public static final int METHOD = 4;
  public static final int CLOCK_PAIR = 5;
  public static final int PROCESS_END = 6;
  public static final int NOTICE = 7;
  public static final int PROBE_COST = 8;
  public static final int METHOD_MODE = 9;
  public static final int OWN_COST = 10;
  public static final int KERNEL_EVENT = 11;
  public static final int SUBSYSTEM = 12;
  public static final int EVENT = 13;
  public static final int PLACE = 14;
  public static final int STREAM = 15;
  public static final int PROCESSOR_TIME = 16;
  public static final int STACK = 17;

  /** Bytes before the fields. */
  public static final int HEADER_SIZE = 13;

  /** Longer strings are cut, so that a definition always fits a packet. */
  public static final int MAX_STRING = 4096;

  /** Upper bound of a definition's bytes: at most six strings and the numbers. */
  public static final int MAX_SIZE = 6 * (MAX_STRING + 1) + 128;

  private DefinitionCodec() {}

  /**
   * Appends a definition at the buffer's position.
   *
   * @throws BufferOverflowException if it does not fit; the buffer's position is then undefined
   */
  public static void put(ByteBuffer to, long clock, Definition definition) {
    if (definition instanceof Definition.Recording d) {
      header(to, RECORDING, clock);
      string(to, d.version());
      string(to, d.command());
      string(to, d.host());
      string(to, d.kernel());
      string(to, d.processor());
      to.putInt(d.processors());
      string(to, d.whenFull());
    } else if (definition instanceof Definition.TracedProcess d) {
      header(to, PROCESS, clock);
      to.putInt(d.process()).putInt(d.pid()).putInt(d.parentPid());
      string(to, d.command());
      string(to, d.jvm());
    } else if (definition instanceof Definition.TracedThread d) {
      header(to, THREAD, clock);
      to.putInt(d.thread()).putInt(d.kind()).putLong(d.javaId()).putInt(d.tid());
      string(to, d.name());
    } else if (definition instanceof Definition.Type d) {
      header(to, TYPE, clock);
      to.putInt(d.type());
      string(to, d.name());
      string(to, d.loader());
      string(to, d.source());
    } else if (definition instanceof Definition.Method d) {
      header(to, METHOD, clock);
      to.putInt(d.method()).putInt(d.type()).putInt(d.line()).putInt(d.access());
      string(to, d.name());
      string(to, d.descriptor());
    } else {
      putRare(to, clock, definition);
    }
  }

  private static void putRare(ByteBuffer to, long clock, Definition definition) {
    if (definition instanceof Definition.ClockPair d) {
      header(to, CLOCK_PAIR, clock);
      to.putLong(d.clock()).putLong(d.monotonic()).putLong(d.wall());
    } else if (definition instanceof Definition.ProcessEnd d) {
      header(to, PROCESS_END, clock);
      to.putInt(d.process()).putInt(d.how()).putLong(d.lost());
    } else if (definition instanceof Definition.Notice d) {
      header(to, NOTICE, clock);
      to.putInt(d.process());
      string(to, d.text());
    } else if (definition instanceof Definition.ProbeCost d) {
      header(to, PROBE_COST, clock);
      to.putInt(d.process()).putInt(d.budget()).putInt(d.inside()).putInt(d.outside());
      to.putInt(d.timed()).putInt(d.sampled()).putInt(d.spread());
    } else if (definition instanceof Definition.MethodMode d) {
      header(to, METHOD_MODE, clock);
      to.putInt(d.method()).putInt(d.mode()).putInt(d.before());
      string(to, d.reason());
    } else if (definition instanceof Definition.OwnCost d) {
      header(to, OWN_COST, clock);
      to.putInt(d.process()).putLong(d.weaving()).putInt(d.classes());
      to.putLong(d.housekeeping()).putLong(d.lifetime());
    } else if (definition instanceof Definition.ProcessorTime d) {
      header(to, PROCESSOR_TIME, clock);
      to.putInt(d.process()).putLong(d.all()).putLong(d.compiling());
    } else if (definition instanceof Definition.KernelEvent d) {
      header(to, KERNEL_EVENT, clock);
      to.putInt(d.event());
      string(to, d.subsystem());
      string(to, d.format());
    } else if (definition instanceof Definition.Subsystem d) {
      header(to, SUBSYSTEM, clock);
      to.putInt(d.subsystem()).putInt(d.id());
      string(to, d.name());
      string(to, d.category());
      string(to, d.color());
    } else if (definition instanceof Definition.Event d) {
      header(to, EVENT, clock);
      to.putInt(d.event()).putInt(d.subsystem()).putInt(d.id()).putInt(d.kind());
      string(to, d.name());
      string(to, d.description());
      string(to, d.fields());
    } else if (definition instanceof Definition.CodeLocation d) {
      header(to, PLACE, clock);
      to.putLong(d.address()).putInt(d.method());
    } else if (definition instanceof Definition.Stack d) {
      header(to, STACK, clock);
      to.putInt(d.stack()).putInt(d.caller()).putInt(d.method());
    } else if (definition instanceof Definition.Stream d) {
      header(to, STREAM, clock);
      to.putLong(d.bytes());
      string(to, d.name());
    } else {
      throw new IllegalArgumentException("unknown definition: " + definition);
    }
  }

  /**
   * Reads the fields of a definition. The buffer stands after its header and is moved to after the
   * definition.
   *
   * @throws java.nio.BufferUnderflowException if the buffer ends before the definition does
   * @throws IllegalArgumentException if the id is unknown or a string too long
   */
  public static Definition get(ByteBuffer from, int id) {
    return switch (id) {
      case RECORDING ->
          new Definition.Recording(
              string(from),
              string(from),
              string(from),
              string(from),
              string(from),
              from.getInt(),
              string(from));
      case PROCESS ->
          new Definition.TracedProcess(
              from.getInt(), from.getInt(), from.getInt(), string(from), string(from));
      case THREAD ->
          new Definition.TracedThread(
              from.getInt(), from.getInt(), from.getLong(), from.getInt(), string(from));
      case TYPE -> new Definition.Type(from.getInt(), string(from), string(from), string(from));
      case METHOD ->
          new Definition.Method(
              from.getInt(),
              from.getInt(),
              from.getInt(),
              from.getInt(),
              string(from),
              string(from));
      case CLOCK_PAIR -> new Definition.ClockPair(from.getLong(), from.getLong(), from.getLong());
      case PROCESS_END -> new Definition.ProcessEnd(from.getInt(), from.getInt(), from.getLong());
      case NOTICE -> new Definition.Notice(from.getInt(), string(from));
      case PROBE_COST ->
          new Definition.ProbeCost(
              from.getInt(),
              from.getInt(),
              from.getInt(),
              from.getInt(),
              from.getInt(),
              from.getInt(),
              from.getInt());
      case METHOD_MODE ->
          new Definition.MethodMode(from.getInt(), from.getInt(), from.getInt(), string(from));
      case OWN_COST ->
          new Definition.OwnCost(
              from.getInt(), from.getLong(), from.getInt(), from.getLong(), from.getLong());
      default -> getRare(from, id);
    };
  }

  private static Definition getRare(ByteBuffer from, int id) {
    return switch (id) {
      case KERNEL_EVENT -> new Definition.KernelEvent(from.getInt(), string(from), string(from));
      case SUBSYSTEM ->
          new Definition.Subsystem(
              from.getInt(), from.getInt(), string(from), string(from), string(from));
      case EVENT ->
          new Definition.Event(
              from.getInt(),
              from.getInt(),
              from.getInt(),
              from.getInt(),
              string(from),
              string(from),
              string(from));
      case PLACE -> new Definition.CodeLocation(from.getLong(), from.getInt());
      case PROCESSOR_TIME ->
          new Definition.ProcessorTime(from.getInt(), from.getLong(), from.getLong());
      case STACK -> new Definition.Stack(from.getInt(), from.getInt(), from.getInt());
      case STREAM -> {
        long bytes = from.getLong();
        yield new Definition.Stream(string(from), bytes);
      }
      default -> throw new IllegalArgumentException("unknown definition: id=" + id);
    };
  }

  /** Moves the buffer to after a definition, as {@link #get} does. */
  public static void skip(ByteBuffer from, int id) {
    Definition skipped = get(from, id);
    assert skipped != null;
  }

  private static void header(ByteBuffer to, int id, long clock) {
    to.put((byte) ThreadRecord.EXTENDED).putInt(id).putLong(clock);
  }

  private static void string(ByteBuffer to, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, MAX_STRING);
    while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
      length--; // never cut within a character
    }
    for (int i = 0; i < length; i++) {
      to.put(bytes[i] == 0 ? (byte) ' ' : bytes[i]); // command lines are separated by zero bytes
    }
    to.put((byte) 0);
  }

  private static String string(ByteBuffer from) {
    int begin = from.position();
    while (from.get() != 0) {
      if (from.position() - begin > MAX_STRING) {
        throw new IllegalArgumentException("string without end: longer than " + MAX_STRING);
      }
    }
    byte[] bytes = new byte[from.position() - begin - 1];
    from.get(begin, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
