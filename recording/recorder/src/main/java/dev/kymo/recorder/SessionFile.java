package dev.kymo.recorder;

import dev.kymo.format.Clock;
import dev.kymo.recorder.userevents.EventOptions;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Properties;
import java.util.UUID;

/**
 * The file {@code session}: a {@link Session} as properties. The native library reads it too, in
 * {@code session.c}.
 */
final class SessionFile {
  private static final String NAME = "session";

  /** A program in a container, whose user owns the directory, must not lead this elsewhere. */
  private static final OpenOption[] NEW = {
    StandardOpenOption.CREATE,
    StandardOpenOption.TRUNCATE_EXISTING,
    StandardOpenOption.WRITE,
    LinkOption.NOFOLLOW_LINKS
  };

  private static final String SEPARATOR = "\n";

  private SessionFile() {}

  static void store(Session session) throws IOException {
    Properties p = properties(session);
    Path file = session.directory().resolve(NAME);
    try (Writer writer = Files.newBufferedWriter(file, NEW)) {
      // Not by Properties.store(), which looks for the time zone to write the date.
      for (String name : p.stringPropertyNames()) {
        writer.write(name + "=" + escaped(p.getProperty(name)) + "\n");
      }
    }
  }

  private static Properties properties(Session session) {
    Properties p = new Properties();
    p.setProperty("recording", session.recording().toString());
    p.setProperty("uuid", session.uuid().toString());
    p.setProperty("clock", session.clock());
    put(p, session.buffers());
    put(p, session.methods());
    put(p, session.events());
    p.setProperty("strict", Boolean.toString(session.manner().strict()));
    p.setProperty("verbose", Boolean.toString(session.manner().verbose()));
    return p;
  }

  private static void put(Properties p, Session.Buffers buffers) {
    p.setProperty("bufferSize", Integer.toString(buffers.size()));
    p.setProperty("whenFull", Integer.toString(buffers.whenFull()));
  }

  private static void put(Properties p, Session.Methods methods) {
    p.setProperty("include", String.join(SEPARATOR, methods.include()));
    p.setProperty("exclude", String.join(SEPARATOR, methods.exclude()));
    p.setProperty("minSize", Integer.toString(methods.minSize()));
    p.setProperty("budget", Integer.toString(methods.budget()));
    p.setProperty("keepAll", Boolean.toString(methods.keepAll()));
    p.setProperty("memory", methods.memory());
  }

  private static void put(Properties p, Session.Events events) {
    p.setProperty("waits", events.waits());
    p.setProperty("jvmEvents", events.jvm());
    p.setProperty("disabled", String.join(SEPARATOR, events.user().disabled()));
    p.setProperty("startOn", String.join(SEPARATOR, events.user().startOn()));
    p.setProperty("stopOn", String.join(SEPARATOR, events.user().stopOn()));
    p.setProperty("snapshotOn", String.join(SEPARATOR, events.user().snapshotOn()));
    p.setProperty("nanos", Long.toString(events.user().nanos()));
    p.setProperty("kernel", Boolean.toString(events.kernel()));
    p.setProperty("messages", Boolean.toString(events.messages()));
  }

  /** Returns a value as Properties reads it. */
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

  static Session load(Path directory) throws IOException {
    Properties p = new Properties();
    try (Reader reader =
        new InputStreamReader(
            Files.newInputStream(directory.resolve(NAME), LinkOption.NOFOLLOW_LINKS),
            StandardCharsets.UTF_8)) {
      p.load(reader);
    }
    return new Session(
        directory,
        forMessages(p.getProperty("recording", "")),
        UUID.fromString(p.getProperty("uuid", "")),
        p.getProperty("clock", Clock.MONOTONIC),
        new Session.Buffers(number(p, "bufferSize"), number(p, "whenFull")),
        methods(p),
        events(p),
        new Session.Manner(flag(p, "strict"), flag(p, "verbose")));
  }

  private static Session.Methods methods(Properties p) {
    return new Session.Methods(
        list(p, "include"),
        list(p, "exclude"),
        number(p, "minSize"),
        number(p, "budget"),
        flag(p, "keepAll"),
        p.getProperty("memory", ""));
  }

  private static Session.Events events(Properties p) {
    EventOptions user =
        new EventOptions(
            list(p, "disabled"),
            list(p, "startOn"),
            list(p, "stopOn"),
            list(p, "snapshotOn"),
            Long.parseLong(p.getProperty("nanos", "0")));
    return new Session.Events(
        p.getProperty("waits", Session.OFF),
        p.getProperty("jvmEvents", Session.OFF),
        user,
        flag(p, "kernel"),
        flag(p, "messages"));
  }

  /** Returns a path, or something like it where the program's locale has no such name. */
  private static Path forMessages(String path) {
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      return Path.of(path.replaceAll("[^ -~]", "?"));
    }
  }

  private static List<String> list(Properties p, String name) {
    String joined = p.getProperty(name, "");
    return joined.isEmpty() ? List.of() : List.of(joined.split(SEPARATOR));
  }

  private static int number(Properties p, String name) {
    return Integer.parseInt(p.getProperty(name, "0"));
  }

  private static boolean flag(Properties p, String name) {
    return Boolean.parseBoolean(p.getProperty(name, "false"));
  }
}
