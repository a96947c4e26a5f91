package dev.kymo.exporters.otf2.library;

import static dev.kymo.exporters.otf2.library.Otf2.PTR;
import static dev.kymo.exporters.otf2.library.Otf2.U32;
import static dev.kymo.exporters.otf2.library.Otf2.U64;
import static dev.kymo.exporters.otf2.library.Otf2.U8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Events of one location; the times of a location never go back. */
public final class Otf2Events {
  public static final byte TYPE_UINT64 = 4;
  public static final byte TYPE_INT64 = 8;
  public static final byte TYPE_DOUBLE = 10;

  private static final MethodHandle ENTER = Otf2.call("EvtWriter_Enter", PTR, PTR, U64, U32);
  private static final MethodHandle LEAVE = Otf2.call("EvtWriter_Leave", PTR, PTR, U64, U32);
  private static final MethodHandle METRIC =
      Otf2.call("EvtWriter_Metric", PTR, PTR, U64, U32, U8, PTR, PTR);
  private static final MethodHandle SEND =
      Otf2.call("EvtWriter_MpiSend", PTR, PTR, U64, U32, U32, U32, U64);
  private static final MethodHandle RECEIVE =
      Otf2.call("EvtWriter_MpiRecv", PTR, PTR, U64, U32, U32, U32, U64);
  private static final MethodHandle COUNT = Otf2.call("EvtWriter_GetNumberOfEvents", PTR, PTR);
  private static final MethodHandle NEW_ATTRIBUTES = Otf2.pointer("AttributeList_New");
  private static final MethodHandle DELETE_ATTRIBUTES = Otf2.call("AttributeList_Delete", PTR);
  private static final MethodHandle ATTRIBUTE =
      Otf2.call("AttributeList_AddStringRef", PTR, U32, U32);

  /** Events between two looks at the disk: the library keeps as much in memory, and more. */
  private static final int LOOK = 4096;

  private final Runnable room;
  private final MemorySegment writer;
  private final MemorySegment attributes;
  private final MemorySegment value;
  private final MemorySegment type;
  private MemorySegment next = MemorySegment.NULL;
  private int events;

  /**
   * Writes events.
   *
   * @param room throws an exception if the disk is full
   */
  Otf2Events(MemorySegment writer, Arena arena, Runnable room) {
    this.room = room;
    this.writer = writer;
    this.value = arena.allocate(U64);
    this.type = arena.allocate(U8);
    try {
      this.attributes = Otf2.check((MemorySegment) NEW_ATTRIBUTES.invokeExact());
    } catch (Throwable e) {
      throw Otf2.impossible(e);
    }
  }

  /** The next event has a text, which is a defined string. */
  public void attribute(int attribute, int string) {
    try {
      Otf2.check((int) ATTRIBUTE.invokeExact(attributes, attribute, string));
    } catch (Throwable e) {
      throw thrown(e);
    }
    next = attributes; // writing the event empties it
  }

  private MemorySegment attributes() {
    if (++events % LOOK == 0) {
      room.run();
    }
    MemorySegment list = next;
    next = MemorySegment.NULL;
    return list;
  }

  private static RuntimeException thrown(Throwable e) {
    if (e instanceof RuntimeException known) {
      return known;
    }
    throw Otf2.impossible(e);
  }

  public void enter(long time, int region) {
    try {
      Otf2.check((int) ENTER.invokeExact(writer, attributes(), time, region));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  public void leave(long time, int region) {
    try {
      Otf2.check((int) LEAVE.invokeExact(writer, attributes(), time, region));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A counter's value; {@code bits} of a double if it has that type. */
  public void metric(long time, int metric, byte typeOfValue, long bits) {
    value.set(U64, 0, bits);
    type.set(U8, 0, typeOfValue);
    try {
      Otf2.check(
          (int) METRIC.invokeExact(writer, attributes(), time, metric, (byte) 1, type, value));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A message leaves for the member of a communicator. */
  public void send(long time, int receiver, int communicator, int tag) {
    try {
      Otf2.check(
          (int) SEND.invokeExact(writer, attributes(), time, receiver, communicator, tag, 0L));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A message has come from the member of a communicator. */
  public void receive(long time, int sender, int communicator, int tag) {
    try {
      Otf2.check(
          (int) RECEIVE.invokeExact(writer, attributes(), time, sender, communicator, tag, 0L));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Returns how many there are. */
  long close() {
    try {
      Otf2.check((int) DELETE_ATTRIBUTES.invokeExact(attributes));
      Otf2.check((int) COUNT.invokeExact(writer, value));
    } catch (Throwable e) {
      throw thrown(e);
    }
    return value.get(U64, 0);
  }
}
