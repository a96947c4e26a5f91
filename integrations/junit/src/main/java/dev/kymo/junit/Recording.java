package dev.kymo.junit;

import dev.kymo.api.Kymo;
import dev.kymo.api.Unrecorded;
import dev.kymo.embedded.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recording of a test so far: the part of its virtual machine's recording since it began, with
 * all threads. Tests that run at the same time are in it, too. Judge it with {@link
 * KymoAssertions#assertThat}.
 */
@Unrecorded
public final class Recording {
  private static final String EVENT = "test/mark";

  /** The event above in the recording, its time and its text. */
  private static final Pattern MARK =
      Pattern.compile("\"time\":(\\d+).*?\"event\":\"test\\.mark\",\"subject\":\"text=(.*?)\"");

  /** Rules about what the virtual machine reports some time later. */
  private static final Pattern LATE = Pattern.compile("\\b(wait|waits|deadlock|SELECT)\\b");

  private static final long LATE_MILLIS = 3000;

  private final Path path;
  private final String test;
  private int marks;

  /** When marks are in the recording, as it was looked up last. */
  private final Map<String, String> times = new HashMap<>();

  /** The mark of a judgement that something is violated, if there was one: most tests end there. */
  private @Nullable String violated;

  /** The mark of the test's end. */
  private @Nullable String end;

  /**
   * A test's part of a recording.
   *
   * @param test the text of its events, which no other test's have
   */
  Recording(Path path, String test) {
    this.path = path;
    this.test = test;
  }

  /** The recording's directory. */
  public Path path() {
    return path;
  }

  /** The text of the test's events. */
  String test() {
    return test;
  }

  void begin() {
    mark();
  }

  synchronized void end() {
    end = mark();
  }

  /** Marks this moment in the recording; returns the mark. */
  private synchronized String mark() {
    String mark = test + "/" + marks++;
    Kymo.instant(EVENT, mark);
    return mark;
  }

  /**
   * Judges rules of {@code kymo check}. If one is about waits this takes three seconds more: until
   * then the virtual machine has reported them.
   *
   * @return null if they are kept; otherwise what is violated where, or why that is not known
   * @throws IllegalArgumentException if one is no rule
   */
  public synchronized @Nullable String violation(String... rules) {
    String now = end == null ? mark() : end;
    if (Stream.of(rules).anyMatch(rule -> LATE.matcher(rule).find())) {
      awaitReports();
    }
    List<String> words = new ArrayList<>(List.of("check", path.toString()));
    for (String rule : rules) {
      words.addAll(List.of("--rule", rule));
    }
    Command.Result result = runUntil(now, words);
    if (result.exit() == 0) {
      return null;
    }
    violated = violated == null ? now : violated;
    return switch (result.exit()) {
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

  /** Writes a page that shows the whole test in any browser. */
  synchronized void writePage(Path page) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("slice", "--force", "-o", page.toString(), path.toString()));
    String last = violated == null ? end : violated;
    Command.Result result = runUntil(last == null ? mark() : last, words);
    if (result.exit() != 0) {
      throw new IOException(result.text());
    }
  }

  /**
   * Runs a command for the time from the test's begin to a mark. Times count from the recording's
   * begin, which is earlier when the virtual machine has reported what happened before: then again.
   */
  private Command.Result runUntil(String mark, List<String> words) {
    if (!times.containsKey(mark)) {
      readTimes();
    }
    while (true) {
      List<String> range = range(mark);
      Command.Result result = Command.run(Stream.concat(words.stream(), range.stream()).toList());
      readTimes();
      if (range.equals(range(mark))) {
        return result;
      }
    }
  }

  private List<String> range(String mark) {
    String from = times.get(test + "/0");
    String to = times.get(mark);
    if (from == null || to == null) {
      throw new IllegalStateException(
          "the test is not in the recording: test=" + test + " recording=" + path);
    }
    return List.of("--from=" + from + "ns", "--to=" + to + "ns");
  }

  /** Looks up the marks of all tests. */
  private void readTimes() {
    Kymo.flush();
    Command.Result events =
        Command.run(List.of("print", path.toString(), "--json", "--event=test.mark"));
    if (events.exit() != 0) {
      throw new IllegalStateException(events.text());
    }
    Matcher matcher = MARK.matcher(events.out());
    while (matcher.find()) {
      times.put(matcher.group(2), matcher.group(1));
    }
  }
}
