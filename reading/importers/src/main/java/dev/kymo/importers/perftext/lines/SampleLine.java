package dev.kymo.importers.perftext.lines;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a sample, {@code comm pid/tid [cpu] seconds.fraction: period event: rest}, of
 * which only a thread's number and the time must be there.
 *
 * @param comm empty = not said
 * @param pid 0 = not said
 * @param tid 0 = idle, -1 = a thread that had ended
 * @param cpu -1 = not said
 * @param event empty = not said
 * @param rest text of a tracepoint, or where the sample was taken
 */
public record SampleLine(
    String comm, int pid, int tid, int cpu, long nanos, long period, String event, String rest) {
  private static final Pattern HEAD =
      Pattern.compile(
          "\\s*+(?:(\\S.{0,63}?)\\s++)?(-?\\d{1,9})(?:/(-?\\d{1,9}))?\\s++(?:\\[(\\d{1,4})]\\s++)?"
              + "(\\d{1,9})\\.(\\d{9}|\\d{6}):(?:\\s++(.*))?");
  private static final Pattern EVENT =
      Pattern.compile("(?:(\\d{1,18})\\s++)?([A-Za-z]\\S*):(?:\\s++(.*))?");
  private static final Pattern PROCESSOR = Pattern.compile("\\[\\d{1,4}]");
  private static final long NANOS = 1_000_000_000L;

  /** Takes a line apart; null if it is not such a line. */
  public static @Nullable SampleLine parse(String line) {
    Matcher head = HEAD.matcher(line);
    if (line.startsWith("\t") || !head.matches()) {
      return null;
    }
    String comm = text(head.group(1));
    if (PROCESSOR.matcher(comm).find()) { // the text of an event of ftrace looks like this
      return null;
    }
    boolean both = head.group(3) != null;
    int tid = Integer.parseInt(head.group(both ? 3 : 2));
    int pid = both ? Integer.parseInt(head.group(2)) : 0;
    int cpu = head.group(4) == null ? -1 : Integer.parseInt(head.group(4));
    String fraction = head.group(6);
    long part = Long.parseLong(fraction) * (fraction.length() == 6 ? 1_000 : 1);
    long nanos = Long.parseLong(head.group(5)) * NANOS + part;
    String rest = text(head.group(7));
    Matcher event = EVENT.matcher(rest);
    if (!event.matches()) {
      return new SampleLine(comm, Math.max(0, pid), tid, cpu, nanos, 1, "", rest);
    }
    long period = event.group(1) == null ? 1 : Long.parseLong(event.group(1));
    return new SampleLine(
        comm, Math.max(0, pid), tid, cpu, nanos, period, event.group(2), text(event.group(3)));
  }

  private static String text(@Nullable String group) {
    return group == null ? "" : group.strip();
  }

  /** Whether it is perf's record of something else than a sample. */
  public boolean isRecord() {
    return (event.isEmpty() ? rest : event).startsWith("PERF_RECORD_");
  }

  /** Whether the rest begins as samples do: with an event, or an address, or not at all. */
  public boolean isSample() {
    return !event.isEmpty() || rest.isEmpty() || FrameText.beginsWithAddress(rest) || isRecord();
  }
}
