package dev.kymo.cli.query;

import dev.kymo.analysis.cause.CallCause;
import dev.kymo.analysis.cause.CausePart;
import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.cause.Siblings;
import dev.kymo.analysis.cause.StateText;
import dev.kymo.analysis.names.Quantity;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Percent;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.cli.words.CallFlags;
import dev.kymo.cli.words.CallId;
import dev.kymo.cli.words.KernelWords;
import dev.kymo.cli.words.NotRecorded;
import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.tables.Column;
import java.util.List;
import java.util.function.ToLongFunction;

/** What the time of a call went to, for people. */
final class WhyText {
  /** Maximum number of rows of each kind. */
  private static final int MOST = 10;

  private final Terminal terminal;
  private final Timeline timeline;
  private final CallCause cause;
  private final TextTable table = new TextTable();

  WhyText(Terminal terminal, Timeline timeline, CallCause cause) {
    this.terminal = terminal;
    this.timeline = timeline;
    this.cause = cause;
  }

  void write() {
    CallDetail call = cause.call();
    Track track = timeline.tracks().get(call.track());
    TracedMethod method = timeline.method(call.method());
    boolean state = track.kind() != TrackKind.CALLS;
    terminal.line(
        "%s  %s"
            .formatted(
                state ? StateText.name(method) : method.qualifiedName(),
                CallId.text(track.process(), track.thread(), call.depth(), call.begin())));
    List<String> odd = CallFlags.words(call.flags());
    terminal.line(
        "thread %s%s, %s to %s%s"
            .formatted(
                track.name(),
                track.tid() == 0 ? "" : ", tid " + track.tid(),
                Nanos.seconds(call.begin()),
                Nanos.seconds(call.end()),
                odd.isEmpty() ? "" : " [" + String.join(", ", odd) + "]"));
    terminal.line("");
    rows();
    table.write(terminal);
    notes();
  }

  private void rows() {
    Siblings siblings = cause.siblings();
    table.row("this call", "", siblings.count() == 0 ? "" : "median", "what");
    CauseSplit split = cause.split();
    String usual = siblings.count() == 0 ? "" : Nanos.text(siblings.duration());
    table.row(Nanos.text(split.duration()), "100.0 %", usual, "duration");
    if (cause.scheduled() >= 0) {
      row("on a processor", CauseSplit::running);
      if (cause.recorded().interrupts()) {
        row("interrupted", CauseSplit::interrupted);
        parts(SchedulerState.INTERRUPTED);
      } else {
        table.row(Column.UNKNOWN, "", "", "interrupted");
      }
      row("runnable, without a processor", CauseSplit::runnable);
      parts(SchedulerState.RUNNABLE);
      row("blocked", CauseSplit::blocked);
      parts(SchedulerState.BLOCKED);
      row("unknown", CauseSplit::unknown);
      if (cause.recorded().faults()) {
        String faults = siblings.split().map(s -> Long.toString(s.faults())).orElse("");
        table.row(Long.toString(split.faults()), "", faults, "page faults");
      } else {
        table.row(Column.UNKNOWN, "", "", "page faults");
      }
    }
    if (!cause.waits().isEmpty()) {
      table.row("", "", "", "waited, as the program and its virtual machine report it");
      cause.waits().stream().limit(MOST).forEach(wait -> part(wait, waitWords(wait)));
      more(cause.waits().size());
    }
    String itself =
        cause.counted() > 0 ? "in itself, at most: some calls were counted" : "in itself";
    table.row(Nanos.text(cause.self()), share(cause.self()), "", itself);
    for (CallCause.Child child : cause.children().stream().limit(MOST).toList()) {
      String words = timeline.method(child.method()).qualifiedName() + times(child.calls());
      table.row(Nanos.text(child.time()), share(child.time()), "", "in " + words);
    }
    more(cause.children().size());
  }

  private void row(String what, ToLongFunction<CauseSplit> time) {
    long here = time.applyAsLong(cause.split());
    String usual = cause.siblings().split().map(s -> Nanos.text(time.applyAsLong(s))).orElse("");
    table.row(Nanos.text(here), share(here), usual, what);
  }

  private String share(long time) {
    return Percent.text(time, cause.split().duration());
  }

  private void parts(SchedulerState state) {
    List<CausePart> all =
        cause.states().stream().filter(p -> timeline.method(p.method()).is(state)).toList();
    for (CausePart part : all.stream().limit(MOST).toList()) {
      part(part, KernelWords.of(timeline.method(part.method()), name(part.other())));
    }
    more(all.size());
  }

  private void part(CausePart part, String words) {
    table.row(Nanos.text(part.time()), share(part.time()), "", "  " + words + times(part.count()));
  }

  private void more(int all) {
    if (all > MOST) {
      table.row("", "", "", "  and %d more".formatted(all - MOST));
    }
  }

  private String waitWords(CausePart wait) {
    String object = wait.object() == 0 ? "" : "@" + Integer.toHexString(wait.object());
    TracedMethod state = timeline.method(wait.method());
    return StateText.name(state) + object + StateText.by(state, name(wait.other()), false);
  }

  private String name(int track) {
    return track < 0 ? "" : name(timeline, track);
  }

  private static String times(long count) {
    return count == 1 ? "" : ", %d times".formatted(count);
  }

  /** What the program calls the thread of a track, if it does. */
  static String name(Timeline timeline, int track) {
    List<Track> tracks = timeline.tracks();
    int of = tracks.get(track).of();
    return tracks.get(of >= 0 ? of : track).name();
  }

  private void notes() {
    Siblings siblings = cause.siblings();
    if (siblings.count() == 0) {
      terminal.line("there is no other call of the method");
    } else {
      String sampled =
          siblings.looked() < siblings.count()
              ? ", a sample of %d".formatted(siblings.looked())
              : "";
      String explained =
          siblings.explained() < siblings.looked()
              ? "; the kernel reports on the threads of %d".formatted(siblings.explained())
              : "";
      terminal.line(
          "median: of %d other calls of the method%s%s"
              .formatted(siblings.count(), sampled, explained));
    }
    if (cause.counted() > 0) {
      terminal.line(
          "about %s calls during this call were counted, not recorded one by one: their time is in their callers'"
              .formatted(Quantity.text(cause.counted())));
    }
    if (cause.scheduled() >= 0) {
      NotRecorded.of(cause.recorded()).forEach(terminal::line);
    } else {
      terminal.line(
          "the recording does not show when this thread was running; 'kymo record --kernel cswitch'"
              + " records that, for platform threads");
    }
  }
}
