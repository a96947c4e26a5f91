package dev.kymo.cli.words;

import dev.kymo.analysis.names.TimeText;
import dev.kymo.analysis.summary.MethodSummary.LongestRecorded;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.session.UsageException;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Names a call: {@code 1/12:3@0.350000000} is the one on thread 12 of process 1 with three calls
 * around it that runs at that time. Without the depth it is the outermost one that begins just then
 * or, if none does, the innermost one that runs.
 *
 * @param thread number in the process, as {@code print} and {@code replay} have it
 * @param depth -1 = not said
 * @param time nanoseconds since the recording's begin
 */
public record CallId(int process, int thread, int depth, long time) {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{1,9})/(\\d{1,9})(?::(\\d{1,9}))?@(\\d{1,18}(?:\\.\\d{1,9})?)(s|ms|us|ns|)");

  private static final Pattern LENGTH = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)(s|ms|us|ns|)");

  /** Reads one from the command line. */
  public static final class Converter implements ITypeConverter<CallId> {
    @Override
    public CallId convert(String text) {
      Matcher m = FORM.matcher(text);
      if (!m.matches()) {
        throw new TypeConversionException(
            "'%s' is not a call such as 1/12:3@0.350000000: PROCESS/THREAD:DEPTH@BEGIN"
                .formatted(text));
      }
      String depth = m.group(3);
      return new CallId(
          Integer.parseInt(m.group(1)),
          Integer.parseInt(m.group(2)),
          depth == null ? -1 : Integer.parseInt(depth),
          time(m.group(4), m.group(5)));
    }

    /** As people write times, but with a point and without a unit it is seconds, as printed. */
    static long time(String number, String unit) {
      if (unit.isEmpty() && number.contains(".")) {
        BigDecimal nanos = new BigDecimal(number).movePointRight(9);
        return nanos.min(BigDecimal.valueOf(Long.MAX_VALUE / 2)).longValue();
      }
      return new Nanos.Converter().convert(number + unit).value();
    }
  }

  /** A length of time as this class takes times: with a point and without a unit it is seconds. */
  public static long length(String text) {
    Matcher m = LENGTH.matcher(text);
    if (!m.matches()) {
      throw new TypeConversionException("'" + text + "' is not a length of time such as 0.05");
    }
    return Converter.time(m.group(1), m.group(2));
  }

  /** Of the longest call of a method. */
  public static String text(LongestRecorded call) {
    return text(call.thread().process(), call.thread().thread(), call.depth(), call.begin());
  }

  public static String text(int process, int thread, int depth, long begin) {
    return TimeText.call(process, thread, depth, begin);
  }

  /**
   * The call that is meant.
   *
   * @throws UsageException if there is no such thread, or no call at that time
   */
  public CallDetail find(Timeline timeline) {
    Track track =
        timeline.tracks().stream()
            .filter(t -> t.process() == process && t.thread() == thread)
            .findFirst()
            .orElseThrow(() ->
                new UsageException(
                    "the recording has no such thread: process=%d thread=%d; 'kymo replay' names them"
                        .formatted(process, thread)));
    Nearest nearest = new Nearest();
    timeline.calls(track.id(), Math.max(0, time - unsure()), time + unsure(), nearest);
    return nearest
        .call(timeline, track.id())
        .orElseThrow(() ->
            new UsageException(
                "no such call was running then: thread=\"%s\"%s time=%s"
                    .formatted(
                        track.name(), depth < 0 ? "" : " depth=" + depth, Nanos.seconds(time))));
  }

  /**
   * An index that was built during recording knows the clock's frequency less exactly than one that
   * is built later: the time of the same call may differ a little.
   */
  private long unsure() {
    return 100 + time / 1_000_000;
  }

  /** Looks for the call that begins at that time, otherwise for one that is running. */
  private final class Nearest implements CallVisitor {
    private int beginning = -1;
    private long begin;
    private int innermost = -1;

    @Override
    public void call(int depthOfCall, int method, long from, long to, int flags) {
      boolean wanted = depth < 0 || depth == depthOfCall;
      long away = Math.abs(from - time);
      if (wanted && away <= unsure()) {
        long known = beginning < 0 ? Long.MAX_VALUE : Math.abs(begin - time);
        boolean outer = away == known && depthOfCall < beginning;
        if (away < known || outer) {
          beginning = depthOfCall;
          begin = from;
        }
      }
      if (wanted && from <= time && to >= time) {
        innermost = Math.max(innermost, depthOfCall);
      }
    }

    Optional<CallDetail> call(Timeline timeline, int track) {
      if (beginning >= 0) {
        return timeline.call(track, beginning, begin);
      }
      return innermost < 0 ? Optional.empty() : timeline.call(track, innermost, time);
    }
  }
}
