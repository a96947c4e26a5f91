package dev.kymo.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one subsystem, and how they are recorded. Generated code uses this class; programs
 * without definitions use {@link Kymo}.
 *
 * <p>Each event has an element in an array of numbers: 0 while it is not to be recorded, else the
 * number by which the recorder knows it. So an event that is switched off costs one load and a
 * comparison.
 *
 * <pre>{@code
 * private static final int[] NUMBERS =
 *     Events.subsystem("disk", 5, "I/O", "#d04040")
 *         .event(7, "ALLOC", Events.INSTANT, "Memory given out", "u64 size; str owner;")
 *         .numbers();
 *
 * public static void alloc(long size, String owner) {
 *   int event = Events.on(NUMBERS, 0);
 *   if (event != 0) {
 *     Events.payload(event).u64(size).str(owner).commit();
 *   }
 * }
 * }</pre>
 */
public final class Events {
  /** Something happens. */
  public static final int INSTANT = 0;

  /** Something begins; {@link #enter}. */
  public static final int BEGIN = 1;

  /** Something that another event began ends; {@link #leave}. */
  public static final int END = 2;

  /** A counter has a new value, its only field. */
  public static final int COUNTER = 3;

  /** A message is sent; its first field is the key. */
  public static final int SEND = 4;

  /** A message is received: the one with the same key, sent by an event of the same subsystem. */
  public static final int RECEIVE = 5;

  private static final VarHandle NUMBER = MethodHandles.arrayElementVarHandle(int[].class);

  private final String name;
  private final int id;
  private final String category;
  private final String color;
  private final List<Object[]> events = new ArrayList<>();

  private Events(String name, int id, String category, String color) {
    this.name = name;
    this.id = id;
    this.category = category;
    this.color = color;
  }

  /**
   * A subsystem without events.
   *
   * @param id 0 to 65535
   * @param category its topic, may be empty
   * @param color {@code #rrggbb} or empty
   */
  public static Events subsystem(String name, int id, String category, String color) {
    return new Events(name, id, category, color);
  }

  /**
   * Adds an event.
   *
   * @param id 0 to 65535
   * @param kind one of this class's constants
   * @param description may be empty
   * @param fields of its data, {@code u64 size; str owner;}; may be empty
   */
  public Events event(int id, String name, int kind, String description, String fields) {
    events.add(new Object[] {id, name, kind, "", description, fields});
    return this;
  }

  /**
   * Adds an event that ends what another event began.
   *
   * @param begin name of that event, added before
   */
  public Events end(int id, String name, String begin, String description, String fields) {
    events.add(new Object[] {id, name, END, begin, description, fields});
    return this;
  }

  /** Makes the events known. Returns their numbers, in the order in which they were added. */
  public int[] numbers() {
    int[] numbers = new int[events.size()];
    Link.define(new Object[] {name, id, category, color, events.toArray(Object[][]::new), numbers});
    return numbers;
  }

  /** The number of an event, 0 if it is not to be recorded. The JIT compiler never caches it. */
  public static int on(int[] numbers, int index) {
    return (int) NUMBER.getOpaque(numbers, index);
  }

  /**
   * Records an event with its only field, or none.
   *
   * @param event number, not 0
   * @param argument the field's bits, 0 if there is none
   */
  public static void record(int event, long argument) {
    Link.Recorder.record(event, argument);
  }

  /** This thread's payload, empty, for an event with other fields. */
  public static Payload payload(int event) {
    return Payload.of(event);
  }

  /** Something begins on this thread; it ends with {@link #leave}. */
  public static void enter(int event) {
    Link.Recorder.enter(event);
  }

  /**
   * What {@link #enter} began ends.
   *
   * @param event number of the event that ends it
   */
  public static void leave(int event) {
    Link.Recorder.leave(event);
  }

  /** Connects with a recorder that has come into this process. The recorder calls it. */
  public static void connect() {
    Link.connect();
  }
}
