package dev.kymo.recorder;

import dev.kymo.format.Clock;
import dev.kymo.format.RingLayout;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.UUID;

/**
 * What the recorder tells the programs it records: a file {@code session} in the directory that
 * holds the shared memory.
 *
 * @param directory of the shared memory, mostly in tmpfs
 * @param recording the recording's directory, for messages
 * @param clock name, {@link Clock#TSC} or {@link Clock#MONOTONIC}
 * @param bufferSize bytes of a thread's ring
 * @param whenFull {@link RingLayout#DISCARD}, {@link RingLayout#BLOCK} or {@link
 *     RingLayout#OVERWRITE}
 * @param include patterns of what to record beyond or instead of the default; may be empty
 * @param exclude patterns of what not to record
 * @param minSize methods without calls and loops are recorded from this many bytes of code on
 * @param budget millionths of a thread's time that probes may take; 0 = any
 * @param memory directory of what earlier runs have found out about methods; empty = none
 * @param waits whether to record what threads wait for: {@link #AUTO}, {@link #ON}, {@link #OFF}
 * @param jvmEvents whether to record what the virtual machine does, likewise
 * @param events which events of the programs' own are recorded, and what they trigger
 * @param kernel whether the recording has kernel events; for programs that want them
 * @param strict a fault of the agent ends the program; for tests
 * @param verbose say what is woven, on standard error
 */
public record Session(
    Path directory,
    Path recording,
    UUID uuid,
    String clock,
    int bufferSize,
    int whenFull,
    List<String> include,
    List<String> exclude,
    int minSize,
    int budget,
    String memory,
    String waits,
    String jvmEvents,
    EventOptions events,
    boolean kernel,
    boolean strict,
    boolean verbose) {
  /** As soon as it fits the budget. */
  public static final String AUTO = "auto";

  /** From the beginning. */
  public static final String ON = "on";

  /** Not at all. */
  public static final String OFF = "off";

  private static final String FILE = "session";
  private static final String SEPARATOR = "\n";

  /** Writes the session's file. */
  public void store() throws IOException {
    Properties p = new Properties();
    p.setProperty("recording", recording.toString());
    p.setProperty("uuid", uuid.toString());
    p.setProperty("clock", clock);
    p.setProperty("bufferSize", Integer.toString(bufferSize));
    p.setProperty("whenFull", Integer.toString(whenFull));
    p.setProperty("include", String.join(SEPARATOR, include));
    p.setProperty("exclude", String.join(SEPARATOR, exclude));
    p.setProperty("minSize", Integer.toString(minSize));
    p.setProperty("budget", Integer.toString(budget));
    p.setProperty("memory", memory);
    p.setProperty("waits", waits);
    p.setProperty("jvmEvents", jvmEvents);
    p.setProperty("disabled", String.join(SEPARATOR, events.disabled()));
    p.setProperty("startOn", String.join(SEPARATOR, events.startOn()));
    p.setProperty("stopOn", String.join(SEPARATOR, events.stopOn()));
    p.setProperty("snapshotOn", String.join(SEPARATOR, events.snapshotOn()));
    p.setProperty("nanos", Long.toString(events.nanos()));
    p.setProperty("kernel", Boolean.toString(kernel));
    p.setProperty("strict", Boolean.toString(strict));
    p.setProperty("verbose", Boolean.toString(verbose));
    try (Writer writer = Files.newBufferedWriter(directory.resolve(FILE))) {
      // Not by store(), which looks for the time zone to write the date.
      for (String name : p.stringPropertyNames()) {
        writer.write(name + "=" + escaped(p.getProperty(name)) + "\n");
      }
    }
  }

  /** As Properties reads it. */
  private static String escaped(String value) {
    String text =
        value
            .replace("\\", "\\\\")
            .replace("\n", "\\n")
            .replace("\r", "\\r")
            .replace("\t", "\\t")
            .replace("\f", "\\f");
    return text.startsWith(" ") ? "\\" + text : text;
  }

  /** Reads the session's file. */
  public static Session load(Path directory) throws IOException {
    Properties p = new Properties();
    try (Reader reader = Files.newBufferedReader(directory.resolve(FILE))) {
      p.load(reader);
    }
    return new Session(
        directory,
        forMessages(p.getProperty("recording", "")),
        UUID.fromString(p.getProperty("uuid", "")),
        p.getProperty("clock", Clock.MONOTONIC),
        Integer.parseInt(p.getProperty("bufferSize", "0")),
        Integer.parseInt(p.getProperty("whenFull", "0")),
        list(p.getProperty("include", "")),
        list(p.getProperty("exclude", "")),
        Integer.parseInt(p.getProperty("minSize", "0")),
        Integer.parseInt(p.getProperty("budget", "0")),
        p.getProperty("memory", ""),
        p.getProperty("waits", OFF),
        p.getProperty("jvmEvents", OFF),
        new EventOptions(
            list(p.getProperty("disabled", "")),
            list(p.getProperty("startOn", "")),
            list(p.getProperty("stopOn", "")),
            list(p.getProperty("snapshotOn", "")),
            Long.parseLong(p.getProperty("nanos", "0"))),
        Boolean.parseBoolean(p.getProperty("kernel", "false")),
        Boolean.parseBoolean(p.getProperty("strict", "false")),
        Boolean.parseBoolean(p.getProperty("verbose", "false")));
  }

  /** Where the program's locale has no such name, something like it. */
  private static Path forMessages(String path) {
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      return Path.of(path.replaceAll("[^ -~]", "?"));
    }
  }

  private static List<String> list(String joined) {
    return joined.isEmpty() ? List.of() : List.of(joined.split(SEPARATOR));
  }
}
