package dev.kymo.api;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Events for programs without definitions: names may be made up at run time, but there should not
 * be too many different names. A name {@code "cache/miss"} is the event {@code miss} of the
 * subsystem {@code cache}; a name without a slash belongs to {@code app}.
 *
 * <p>While nobody records, each of these methods returns at once. Where the same event happens
 * millions of times a second, generated events ({@code kymo events compile}) are faster: they need
 * not look up the name.
 */
public final class Kymo {
  /** The only element is not 0 while there is a recording. */
  private static final int[] RECORDING =
      Events.subsystem("", 0, "", "").event(0, "", 0, "", "").numbers();

  private static final String SUBSYSTEM = "app";

  private static final Map<String, int[]> INSTANTS = new ConcurrentHashMap<>();
  private static final Map<String, int[]> NUMBERS = new ConcurrentHashMap<>();
  private static final Map<String, int[]> TEXTS = new ConcurrentHashMap<>();
  private static final Map<String, int[]> SPANS = new ConcurrentHashMap<>();
  private static final Map<String, int[]> COUNTERS = new ConcurrentHashMap<>();
  private static final Map<String, int[]> GAUGES = new ConcurrentHashMap<>();
  private static final Map<String, int[]> SENDS = new ConcurrentHashMap<>();
  private static final Map<String, int[]> ALIASES = new ConcurrentHashMap<>();
  private static final Map<String, int[]> RECEIVES = new ConcurrentHashMap<>();

  private Kymo() {}

  /** Whether there is a recording, so that it is worth collecting costly data for it. */
  public static boolean isRecording() {
    return Events.on(RECORDING, 0) != 0;
  }

  /** Something happens. */
  public static void instant(String name) {
    int event = event(INSTANTS, name, Events.INSTANT, "");
    if (event != 0) {
      Events.record(event, 0);
    }
  }

  /** Something happens, and a number says more about it. */
  public static void instant(String name, long value) {
    int event = event(NUMBERS, name, Events.INSTANT, "i64 value;");
    if (event != 0) {
      Events.record(event, value);
    }
  }

  /** Something happens, and a text says more about it; only its first 65534 bytes are kept. */
  public static void instant(String name, String text) {
    int event = event(TEXTS, name, Events.INSTANT, "str text;");
    if (event != 0) {
      Events.payload(event).str(text).commit();
    }
  }

  /** Something begins on this thread, and ends when the returned span is closed. */
  public static Span span(String name) {
    int event = event(SPANS, name, Events.BEGIN, "");
    if (event == 0) {
      return Span.OFF;
    }
    Events.enter(event);
    return new Span(event);
  }

  /** A counter has a new value. */
  public static void counter(String name, long value) {
    int event = event(COUNTERS, name, Events.COUNTER, "i64 value;");
    if (event != 0) {
      Events.record(event, value);
    }
  }

  /** A counter has a new value. */
  public static void counter(String name, double value) {
    int event = event(GAUGES, name, Events.COUNTER, "f64 value;");
    if (event != 0) {
      Events.record(event, Double.doubleToRawLongBits(value));
    }
  }

  /**
   * This thread sends a message.
   *
   * @param channel messages of different channels are independent of each other
   * @param key tells messages that are on their way from each other
   */
  public static void send(String channel, long key) {
    int event = event(SENDS, channel + "/send", Events.SEND, "u64 key;");
    if (event != 0) {
      Events.record(event, key);
    }
  }

  /** This thread has received a message. */
  public static void receive(String channel, long key) {
    int event = event(RECEIVES, channel + "/receive", Events.RECEIVE, "u64 key;");
    if (event != 0) {
      Events.record(event, key);
    }
  }

  /** Waits until everything recorded so far is in the recording's files; takes a few ms. */
  public static void flush() {
    control("flush");
  }

  /** Continues recording after {@link #stop}, or begins it if it was to begin later. */
  public static void start() {
    control("start");
  }

  /** Records nothing of this process until {@link #start}, not even method calls. */
  public static void stop() {
    control("stop");
  }

  /** Has the flight recorder write what it holds as a recording of its own, and go on. */
  public static void snapshot() {
    control("snapshot");
  }

  /**
   * Switches events on.
   *
   * @param what {@code disk}, {@code disk.ALLOC}, {@code category:I/O}, {@code kind:counter} or
   *     {@code *}
   */
  public static void enable(String what) {
    control("enable " + what);
  }

  /** Switches events off. */
  public static void disable(String what) {
    control("disable " + what);
  }

  /**
   * Gives an object a name, which is shown from now on wherever an event has its number.
   *
   * @param object any number that events have as a field: an address, an identity hash
   */
  public static void alias(long object, String name) {
    int event = event(ALIASES, "kymo/alias", Events.INSTANT, "u64 object; str name;");
    if (event != 0) {
      Events.payload(event).u64(object).str(name).commit();
    }
  }

  private static void control(String command) {
    if (Link.recorder() != null) {
      Link.Recorder.control(command);
    }
  }

  private static int event(Map<String, int[]> known, String name, int kind, String fields) {
    if (!isRecording()) {
      return 0;
    }
    int[] numbers = known.get(name);
    if (numbers == null) {
      numbers = known.computeIfAbsent(name, unused -> define(name, kind, fields));
    }
    return Events.on(numbers, 0);
  }

  private static int[] define(String name, int kind, String fields) {
    int slash = name.lastIndexOf('/');
    String subsystem = slash <= 0 ? SUBSYSTEM : name.substring(0, slash);
    return Events.subsystem(subsystem, 0, "", "")
        .event(0, name.substring(slash + 1), kind, "", fields)
        .numbers();
  }
}
