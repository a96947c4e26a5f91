package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.profile.ProfilerException;

/**
 * The options after the profiler's name: {@code name=value} or {@code name}, separated by
 * semicolons. What is not the profiler's is the agent's.
 */
@Unrecorded
final class ProfilerOptions {
  /** What the profiler itself sets. */
  private static final List<String> TAKEN = List.of("out", "output", "quiet", "no-memory");

  /** JMH itself; but not its samples, which are in a package beside. */
  private static final List<String> HARNESS =
      List.of(
          "org.openjdk.jmh.Main",
          "org.openjdk.jmh.infra",
          "org.openjdk.jmh.profile",
          "org.openjdk.jmh.results",
          "org.openjdk.jmh.runner",
          "org.openjdk.jmh.util",
          "joptsimple");

  private static final int MOST_METHODS = 1000;

  private static final String HELP =
      """
      Options of Kymo's profiler, -prof dev.kymo.jmh.KymoProfiler:NAME=VALUE;NAME=VALUE;...
        dir=FOLDER       where recordings are written, default: kymo-jmh
        methods=N        methods that have rows in JMH's table, default: 5
        page             write a page that shows the end of the last iteration in any browser
        help             this
      and those of the agent, among them:
        include=PATTERN  record only these classes; may be repeated
        exclude=PATTERN  leave these out; may be repeated
        budget=SHARE     part of each thread's time that probes may take before calls are only
                         counted, default: 5%; none: record every call by itself
        min-size=BYTES   record simple methods from this size on, default: 32
        messages         record what goes through sockets
        max-size=SIZE    of each recording, default: 4G\
      """;

  private Path folder = Path.of("kymo-jmh");
  private int methods = 5;
  private boolean page;
  private boolean included;
  private final List<String> given = new ArrayList<>();

  private ProfilerOptions() {}

  /**
   * Reads them; the agent's are not judged.
   *
   * @throws ProfilerException if one is wrong, or help is asked for
   */
  static ProfilerOptions of(String text) throws ProfilerException {
    ProfilerOptions options = new ProfilerOptions();
    for (String part : text.split(";", -1)) {
      if (!part.isEmpty()) {
        options.set(part);
      }
    }
    return options;
  }

  private void set(String part) throws ProfilerException {
    int sign = part.indexOf('=');
    String name = sign < 0 ? part : part.substring(0, sign);
    String value = sign < 0 ? "" : part.substring(sign + 1);
    if (TAKEN.contains(name)) {
      throw new ProfilerException(
          "option "
              + name
              + " of the agent is set by the profiler; dir=FOLDER says where to write");
    }
    if (part.contains(",")) {
      throw new ProfilerException(
          "options are separated by semicolons, and have no commas: '" + part + "'");
    }
    switch (name) {
      case "help" -> throw new ProfilerException(HELP);
      case "dir" -> folder = folder(value);
      case "methods" -> methods = number(value);
      case "page" -> page = isTrue(value);
      default -> {
        included |= name.equals("include");
        given.add(part);
      }
    }
  }

  private static Path folder(String value) throws ProfilerException {
    if (value.isEmpty()) {
      throw new ProfilerException("option dir needs a folder: dir=...");
    }
    try {
      return Files.createDirectories(Path.of(value));
    } catch (InvalidPathException | IOException e) {
      throw new ProfilerException("option dir: '" + value + "' cannot be made: " + e);
    }
  }

  private static int number(String value) throws ProfilerException {
    try {
      int number = Integer.parseInt(value);
      if (number >= 0 && number <= MOST_METHODS) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new ProfilerException(
        "option methods: '" + value + "' is not a number from 0 to " + MOST_METHODS);
  }

  private static boolean isTrue(String value) throws ProfilerException {
    return switch (value) {
      case "", "true" -> true;
      case "false" -> false;
      default -> throw new ProfilerException("option page: '" + value + "' is not true or false");
    };
  }

  /** Where recordings are written. */
  Path folder() {
    return folder;
  }

  /** Most methods that have rows in JMH's table. */
  int methods() {
    return methods;
  }

  boolean page() {
    return page;
  }

  /** Options of the agent, as they were given. */
  List<String> given() {
    return given;
  }

  /**
   * The agent's whole argument.
   *
   * @param recording to be written
   */
  String agent(Path recording) {
    List<String> words = new ArrayList<>(List.of("out=" + recording, "quiet"));
    // A benchmark is what costs more than any budget.
    words.add("keep-all");
    if (given.stream().noneMatch(word -> word.startsWith("waits="))) {
      words.add("waits=on");
    }
    if (given.stream().noneMatch(word -> word.startsWith("jvm-events="))) {
      words.add("jvm-events=on");
    }
    if (included) {
      words.add("include=" + Marks.LOOPS);
    }
    HARNESS.forEach(harness -> words.add("exclude=" + harness));
    words.addAll(given);
    return String.join(",", words);
  }
}
