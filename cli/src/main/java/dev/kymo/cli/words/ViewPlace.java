package dev.kymo.cli.words;

import dev.kymo.cli.terminal.Nanos;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.session.UsageException;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;

/**
 * A place in a recording that the viewer begins with.
 *
 * @param at a thread and a time
 * @param length nanoseconds that it takes; 0 = not said
 */
public record ViewPlace(CallId at, long length) {
  /** Around something of which nobody says how long it is. */
  private static final long AROUND = 1_000_000;

  /** Reads one from the command line. */
  public static final class Converter implements ITypeConverter<ViewPlace> {
    @Override
    public ViewPlace convert(String text) {
      int plus = text.indexOf('+');
      String call = plus < 0 ? text : text.substring(0, plus);
      long length = plus < 0 ? 0 : CallId.length(text.substring(plus + 1));
      return new ViewPlace(new CallId.Converter().convert(call), length);
    }
  }

  /** As it is written on the command line. */
  public static String text(int process, int thread, long begin, long finish) {
    return "%d/%d@%s%s"
        .formatted(
            process,
            thread,
            Nanos.seconds(begin),
            finish > begin ? "+" + Nanos.seconds(finish - begin) : "");
  }

  /** What the viewer's address has after its {@code #}. */
  public String address(Timeline timeline) {
    Track track =
        timeline.tracks().stream()
            .filter(t -> t.process() == at.process() && t.thread() == at.thread())
            .findFirst()
            .orElseThrow(() ->
                new UsageException(
                    "the recording has no such thread: process=%d thread=%d"
                        .formatted(at.process(), at.thread())));
    String call = "";
    long time = length;
    Optional<CallDetail> found = call(timeline, track);
    if (found.isPresent()) {
      CallDetail there = found.get();
      call = "&call=%d,%d,%d".formatted(track.id(), there.depth(), there.begin());
      if (length == 0) {
        time = there.end() - there.begin();
      }
    }
    long around = time == 0 ? AROUND : Math.max(1, time / 2);
    return "from=%d&to=%d&open=%d&top=%d,0%s"
        .formatted(
            Math.max(0, at.time() - around),
            at.time() + time + around,
            track.id(),
            track.id(),
            call);
  }

  /** The call that runs there; a wait may be outside of all calls. */
  private Optional<CallDetail> call(Timeline timeline, Track track) {
    if (at.depth() >= 0) {
      return Optional.of(at.find(timeline));
    }
    Optional<CallDetail> innermost = Optional.empty();
    Optional<CallDetail> next = timeline.call(track.id(), 0, at.time());
    while (next.isPresent()) {
      innermost = next;
      next = timeline.call(track.id(), next.get().depth() + 1, at.time());
    }
    return innermost;
  }
}
