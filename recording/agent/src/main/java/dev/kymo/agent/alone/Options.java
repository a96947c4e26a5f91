package dev.kymo.agent.alone;

import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.Flushing;
import dev.kymo.drain.options.Defaults;
import dev.kymo.drain.options.OptionWords;
import dev.kymo.format.Clock;
import dev.kymo.format.Redaction;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.budget.MemoryFile;
import dev.kymo.recorder.platform.ProcessorCounter;
import dev.kymo.recorder.userevents.EventOptions;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * The agent's argument where it records by itself: options of {@code kymo record} without their
 * dashes, {@code name} or {@code name=value}, separated by commas. One that may be repeated is
 * written several times.
 */
public final class Options {
  private static final int MOST_FILES = 1000;

  /** Those of {@code kymo record} that take another program, or more than the agent has. */
  private static final Set<String> OF_THE_COMMAND =
      Set.of(
          "csv-safe",
          "delay",
          "format",
          "help",
          "insecure",
          "instructions",
          "kafka-config",
          "keep",
          "keep-local",
          "kernel",
          "kernel-buffer",
          "no-index",
          "pid",
          "session",
          "snapshot-pause",
          "snapshot-when",
          "snapshots",
          "spool-size",
          "start-at",
          "stop-at",
          "system",
          "threads",
          "to",
          "version",
          "want-kernel",
          "when-unreachable");

  private String output = "%c-%t.kymo";
  private final List<String> include = new ArrayList<>();
  private final List<String> exclude = new ArrayList<>();
  private int minSize = Integer.parseInt(Defaults.MIN_SIZE);
  private int budget = OptionWords.budget(Defaults.BUDGET);
  private boolean keepAll;
  private final List<String> redact = new ArrayList<>();
  private boolean isRedactionOff;
  private boolean memory = true;
  private int whenFull = RingLayout.DISCARD;
  private int buffer = OptionWords.bufferBytes(Defaults.BUFFER);
  private String clock = "auto";
  private String waits = Session.AUTO;
  private String jvmEvents = Session.AUTO;
  private final List<String> disabled = new ArrayList<>();
  private final List<String> startOn = new ArrayList<>();
  private final List<String> stopOn = new ArrayList<>();
  private final List<String> snapshotOn = new ArrayList<>();
  private long nanos;
  private boolean messages;
  private long maxSize = OptionWords.diskBytes(Defaults.MAX_SIZE);
  private boolean isSizeGiven;
  private boolean dropsOldest;
  private int files = Defaults.FILES;
  private Flushing flush = Flushing.AUTO;
  private boolean quiet;
  private boolean strict;
  private boolean verbose;

  private Options() {}

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if one is unknown or wrong; the message names it
   */
  public static Options of(String text) {
    Options options = new Options();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int sign = part.indexOf('=');
      String name = sign < 0 ? part : part.substring(0, sign);
      if (!(sign < 0 ? options.set(name) : options.set(name, part.substring(sign + 1)))) {
        throw unknown(name, sign < 0);
      }
    }
    options.check();
    return options;
  }

  /** Switches something on; false if that is no such option. */
  private boolean set(String name) {
    switch (name) {
      case "keep-all" -> keepAll = true;
      case "messages" -> messages = true;
      case "no-memory" -> memory = false;
      case "no-redact" -> isRedactionOff = true;
      case "quiet" -> quiet = true;
      case "strict" -> strict = true;
      case "verbose" -> verbose = true;
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean set(String name, String value) {
    try {
      switch (name) {
        case "out", "output" -> output = value;
        case "include" -> include.add(value);
        case "exclude" -> exclude.add(value);
        case "redact" -> redact.add(value);
        case "disable-events" -> disabled.add(value);
        case "start-on" -> startOn.add(value);
        case "stop-on" -> stopOn.add(value);
        case "snapshot-on" -> snapshotOn.add(value);
        case "clock" -> clock = oneOf(value, "auto", Clock.TSC, Clock.MONOTONIC);
        case "waits" -> waits = oneOf(value, Session.AUTO, Session.ON, Session.OFF);
        case "jvm-events" -> jvmEvents = oneOf(value, Session.AUTO, Session.ON, Session.OFF);
        case "when-full" -> whenFull = whenFull(value);
        default -> {
          return setNumber(name, value);
        }
      }
      return true;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("option " + name + ": " + e.getMessage(), e);
    }
  }

  private boolean setNumber(String name, String value) {
    switch (name) {
      case "min-size" -> minSize = number(value, 0, Integer.MAX_VALUE);
      case "budget" -> budget = OptionWords.budget(value);
      case "buffer" -> buffer = OptionWords.bufferBytes(value);
      case "duration" -> nanos = OptionWords.duration(value).toNanos();
      case "max-size" -> {
        maxSize = OptionWords.diskBytes(value);
        isSizeGiven = true;
      }
      case "at-full" -> dropsOldest = oneOf(value, "stop", "overwrite").equals("overwrite");
      case "files" -> files = number(value, 1, MOST_FILES);
      case "flush" -> flush = OptionWords.flushing(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  Redaction redaction() {
    return isRedactionOff ? Redaction.NONE : Redaction.of(redact);
  }

  private static String oneOf(String value, String... values) {
    if (!List.of(values).contains(value)) {
      throw new IllegalArgumentException(
          "'" + value + "' is not one of " + String.join(", ", values));
    }
    return value;
  }

  private static int whenFull(String value) {
    return switch (oneOf(value, "discard", "block", "overwrite")) {
      case "block" -> RingLayout.BLOCK;
      case "overwrite" -> RingLayout.OVERWRITE;
      default -> RingLayout.DISCARD;
    };
  }

  private static int number(String value, int least, int most) {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "'" + value + "' is not a number from " + least + " to " + most);
  }

  private static IllegalArgumentException unknown(String name, boolean isAlone) {
    if (OF_THE_COMMAND.contains(name)) {
      return new IllegalArgumentException(
          "option " + name + " goes with kymo record, not with the agent alone");
    }
    if (isAlone && isKnownWithValue(name)) {
      return new IllegalArgumentException("option " + name + " needs a value: " + name + "=...");
    }
    if (!isAlone && new Options().set(name)) {
      return new IllegalArgumentException("option " + name + " has no value");
    }
    return new IllegalArgumentException("unknown option: " + name);
  }

  private static boolean isKnownWithValue(String name) {
    try {
      return new Options().set(name, "");
    } catch (IllegalArgumentException e) {
      return true; // the option is, its value is not
    }
  }

  private void check() {
    boolean flightRecorder = whenFull == RingLayout.OVERWRITE;
    events().check();
    if (!snapshotOn.isEmpty() && !flightRecorder) {
      throw new IllegalArgumentException("snapshot-on goes with when-full=overwrite");
    }
    if (dropsOldest && (!isSizeGiven || maxSize == 0)) {
      throw new IllegalArgumentException("at-full=overwrite goes with max-size");
    }
    if (dropsOldest && flightRecorder) {
      throw new IllegalArgumentException("at-full=overwrite does not go with when-full=overwrite");
    }
    if (output.isEmpty()) {
      throw new IllegalArgumentException("option out needs a name");
    }
  }

  private EventOptions events() {
    return new EventOptions(disabled, startOn, stopOn, snapshotOn, nanos);
  }

  /** The recording's directory: {@code %p} is the process, {@code %t} the time. */
  Path output() {
    String command = System.getProperty("sun.java.command", "java").split(" ", 2)[0];
    return Path.of(
            output
                .replace("%p", Long.toString(ProcessHandle.current().pid()))
                .replace(
                    "%t",
                    LocalDateTime.now(ZoneId.systemDefault())
                        .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)))
                .replace("%c", command.substring(command.lastIndexOf('/') + 1)))
        .toAbsolutePath();
  }

  /** What the recorder is to do, with its shared memory in a directory. */
  Session session(Path sharedMemory, Path recording) {
    Path kept = memory && budget != 0 && !keepAll ? MemoryFile.directory(System.getenv()) : null;
    return new Session(
        sharedMemory,
        recording,
        UUID.randomUUID(),
        clock(),
        new Session.Buffers(buffer, whenFull),
        new Session.Methods(
            include, exclude, minSize, budget, keepAll, kept == null ? "" : kept.toString()),
        new Session.Events(waits, jvmEvents, events(), false, messages),
        new Session.Manner(strict, verbose));
  }

  String clock() {
    return switch (clock) {
      case "auto" -> ClockCalibration.best(Runtime.version().feature());
      case Clock.TSC -> ProcessorCounter.name();
      default -> clock;
    };
  }

  /** Whether the oldest events go when the recording has its full size; otherwise it ends. */
  boolean dropsOldest() {
    return dropsOldest;
  }

  /** Most bytes of the recording; 0 = any. */
  long maxSize() {
    return maxSize;
  }

  /** With {@link #dropsOldest}: files for each stream. */
  int files() {
    return files;
  }

  /** For how long is recorded from the beginning on; 0 = to the end, or an event says when. */
  long nanos() {
    return startOn.isEmpty() ? nanos : 0;
  }

  Flushing flush() {
    return flush;
  }

  /** Whether nothing is said at the end. */
  boolean quiet() {
    return quiet;
  }
}
