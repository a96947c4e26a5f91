package dev.kymo.exporters.otf2.library;

import static dev.kymo.exporters.otf2.library.Otf2.PTR;
import static dev.kymo.exporters.otf2.library.Otf2.U32;
import static dev.kymo.exporters.otf2.library.Otf2.U64;
import static dev.kymo.exporters.otf2.library.Otf2.U8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Global definitions; strings come before what refers to them. */
public final class Otf2Definitions {
  /** Stands for no parent, no string, no location group. */
  public static final int NONE = -1;

  private static final byte GROUP_REGIONS = 2;
  private static final byte GROUP_LOCATIONS = 4;
  private static final byte GROUP_OF_COMMUNICATOR = 5;
  private static final byte USER = 1;
  private static final byte TYPE_STRING = 11;

  private static final MethodHandle CLOCK = define("ClockProperties", PTR, U64, U64, U64, U64);
  private static final MethodHandle STRING = define("String", PTR, U32, PTR);
  private static final MethodHandle NODE = define("SystemTreeNode", PTR, U32, U32, U32, U32);
  private static final MethodHandle LOCATION_GROUP =
      define("LocationGroup", PTR, U32, U32, U8, U32, U32);
  private static final MethodHandle LOCATION = define("Location", PTR, U64, U32, U8, U64, U32);
  private static final MethodHandle REGION =
      define("Region", PTR, U32, U32, U32, U32, U8, U8, U32, U32, U32, U32);
  private static final MethodHandle MEMBER =
      define("MetricMember", PTR, U32, U32, U32, U8, U8, U8, U8, U64, U32);
  private static final MethodHandle METRIC = define("MetricClass", PTR, U32, U8, PTR, U8, U8);
  private static final MethodHandle ATTRIBUTE = define("Attribute", PTR, U32, U32, U32, U8);
  private static final MethodHandle GROUP = define("Group", PTR, U32, U32, U8, U8, U32, U32, PTR);
  private static final MethodHandle COMMUNICATOR = define("Comm", PTR, U32, U32, U32, U32, U32);

  private final MemorySegment writer;
  private final Arena arena;

  Otf2Definitions(MemorySegment writer, Arena arena) {
    this.writer = writer;
    this.arena = arena;
  }

  private static MethodHandle define(String what, java.lang.foreign.MemoryLayout... arguments) {
    return Otf2.call("GlobalDefWriter_Write" + what, arguments);
  }

  private static void done(int code) {
    Otf2.check(code);
  }

  private static RuntimeException thrown(Throwable e) {
    if (e instanceof RuntimeException known) {
      return known;
    }
    throw Otf2.impossible(e);
  }

  /** Ticks a second, and nanoseconds from 1970 to time 0. */
  public void clock(long frequency, long length, long wall) {
    try {
      done((int) CLOCK.invokeExact(writer, frequency, 0L, length, wall));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  public void string(int number, String text) {
    try (Arena shortly = Arena.ofConfined()) {
      // The library's strings end with 0.
      MemorySegment bytes = shortly.allocateFrom(text.replace('\0', ' '));
      done((int) STRING.invokeExact(writer, number, bytes));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A machine, or something in one. */
  public void node(int number, int name, int kind, int parent) {
    try {
      done((int) NODE.invokeExact(writer, number, name, kind, parent));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A process. */
  public void process(int number, int name, int node) {
    try {
      done((int) LOCATION_GROUP.invokeExact(writer, number, name, (byte) 1, node, NONE));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A thread, or what else has events. */
  public void location(long number, int name, long events, int process) {
    try {
      done((int) LOCATION.invokeExact(writer, number, name, (byte) 1, events, process));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A function or state. */
  public void region(
      int number, int name, int whole, byte role, byte paradigm, int file, int line) {
    try {
      done(
          (int)
              REGION.invokeExact(
                  writer, number, name, whole, NONE, role, paradigm, 0, file, line, line));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A counter, as a class of metrics with itself as its only member. */
  public void metric(int number, int name, int description, byte type, int unit) {
    byte absolutePoint = 1 | 1 << 4;
    try {
      done(
          (int)
              MEMBER.invokeExact(
                  writer,
                  number,
                  name,
                  description,
                  (byte) 3,
                  absolutePoint,
                  type,
                  (byte) 1,
                  0L,
                  unit));
      MemorySegment members = arena.allocateFrom(U32, number);
      done((int) METRIC.invokeExact(writer, number, (byte) 1, members, (byte) 2, (byte) 2));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** What events may have as text. */
  public void attribute(int number, int name, int description) {
    try {
      done((int) ATTRIBUTE.invokeExact(writer, number, name, description, TYPE_STRING));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Regions that belong together. */
  public void regions(int number, int name, long[] members) {
    group(number, name, GROUP_REGIONS, members);
  }

  /** Locations between which messages go, and a communicator of all of them. */
  public void communicator(int number, int group, int name, long[] locations) {
    group(group, name, GROUP_LOCATIONS, locations);
    long[] places = new long[locations.length];
    java.util.Arrays.setAll(places, i -> i);
    group(group + 1, name, GROUP_OF_COMMUNICATOR, places);
    try {
      done((int) COMMUNICATOR.invokeExact(writer, number, name, group + 1, NONE, 0));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  private void group(int number, int name, byte type, long[] members) {
    try {
      MemorySegment all = arena.allocateFrom(U64, members);
      done((int) GROUP.invokeExact(writer, number, name, type, USER, 0, members.length, all));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }
}
