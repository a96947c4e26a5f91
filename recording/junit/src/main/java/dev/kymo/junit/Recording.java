package dev.kymo.junit;

import dev.kymo.api.Kymo;
import dev.kymo.api.Unrecorded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a test has done so far: the part of its virtual machine's recording since it began, with all
 * threads. Tests that run at the same time are in it, too. Judge it with {@link
 * KymoAssertions#assertThat}.
 */
@Unrecorded
public final class Recording {
  private static final String BEGIN = "test/begin";
  private static final String END = "test/end";

  /** Rules about what the virtual machine reports some time later. */
  private static final Pattern LATE = Pattern.compile("\\b(wait|waits|deadlock|SELECT)\\b");

  private static final long LATE_MILLIS = 3000;

  private static final Pattern EVENT =
      Pattern.compile(
          "\"time\":(\\d+).*?\"event\":\"test\\.(begin|end)\",\"subject\":\"text=(.*?)\"");

  private final Path path;
  private final String test;

  /** The options for its time, as far as they have been looked up. */
  private List<String> range = List.of();

  private boolean ended;

  /**
   * A test's part of a recording.
   *
   * @param test the text of its events
   */
  Recording(Path path, String test) {
    this.path = path;
    this.test = test;
  }

  /** The recording's directory. */
  public Path path() {
    return path;
  }

  /** What the test's events say, which no other test's do. */
  String test() {
    return test;
  }

  /** The test begins. */
  void begin() {
    Kymo.instant(BEGIN, test);
  }

  /** The test ends. */
  synchronized void end() {
    Kymo.instant(END, test);
    ended = true;
  }

  /**
   * Judges rules of {@code kymo check}. If one is about waits this takes three seconds more: until
   * then the virtual machine has reported them.
   *
   * @return null if they are kept; otherwise what is violated where, or why that is not known
   * @throws IllegalArgumentException if one is no rule
   */
  public @Nullable String violation(String... rules) {
    if (Stream.of(rules).anyMatch(rule -> LATE.matcher(rule).find())) {
      awaitReports();
    }
    List<String> words = new ArrayList<>(List.of("check", path.toString()));
    for (String rule : rules) {
      words.addAll(List.of("--rule", rule));
    }
    words.addAll(range());
    Command.Result result = Command.run(words);
    return switch (result.exit()) {
      case 0 -> null;
      case Command.VIOLATED -> result.out().strip();
      case Command.USAGE -> throw new IllegalArgumentException(result.text());
      default -> throw new IllegalStateException(result.text());
    };
  }

  private static void awaitReports() {
    try {
      Thread.sleep(LATE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waits were awaited", e);
    }
  }

  /** Writes a page that shows it in any browser. */
  void writePage(Path page) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("slice", "--force", "-o", page.toString(), path.toString()));
    words.addAll(range());
    Command.Result result = Command.run(words);
    if (result.exit() != 0) {
      throw new IOException(result.text());
    }
  }

  /** The options for the test's time. */
  private synchronized List<String> range() {
    Kymo.flush();
    if (range.isEmpty() || (ended && range.size() == 1)) {
      range = find();
    }
    return range;
  }

  private List<String> find() {
    Command.Result events =
        Command.run(
            List.of("print", path.toString(), "--json", "--event=test.begin", "--event=test.end"));
    if (events.exit() != 0) {
      throw new IllegalStateException(events.text());
    }
    List<String> found = new ArrayList<>();
    Matcher matcher = EVENT.matcher(events.out());
    while (matcher.find()) {
      if (matcher.group(3).equals(test)) {
        found.add(
            (matcher.group(2).equals("begin") ? "--from=" : "--to=") + matcher.group(1) + "ns");
      }
    }
    if (found.isEmpty()) {
      throw new IllegalStateException(
          "the test is not in the recording: test=" + test + " recording=" + path);
    }
    return found;
  }
}
