package dev.kymo.cli.query;

import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.cause.StateText;
import dev.kymo.analysis.path.CriticalPath;
import dev.kymo.analysis.path.PathStep;
import dev.kymo.analysis.path.PathStep.Kind;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Percent;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.cli.words.KernelWords;
import dev.kymo.format.SchedulerState;
import dev.kymo.format.WaitKind;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** The critical path of a call, for people. */
final class PathText {
  private final Terminal terminal;
  private final Timeline timeline;
  private final CriticalPath path;

  PathText(Terminal terminal, Timeline timeline, CriticalPath path) {
    this.terminal = terminal;
    this.timeline = timeline;
    this.path = path;
  }

  void write() {
    List<PathStep> steps = path.steps();
    long begin = steps.getFirst().begin();
    long whole = steps.getLast().end() - begin;
    terminal.line(
        "critical path from %s to %s, %s, steps: %d"
            .formatted(
                Nanos.seconds(begin),
                Nanos.seconds(begin + whole),
                Nanos.text(whole),
                steps.size()));
    terminal.line("");
    sums(whole);
    terminal.line("");
    TextTable table = new TextTable();
    table.row("begin", "time", "", "what");
    for (int i = 0; i < steps.size(); i++) {
      PathStep step = steps.get(i);
      PathStep next = i + 1 < steps.size() ? steps.get(i + 1) : null;
      table.row(
          Nanos.seconds(step.begin()),
          Nanos.text(step.time()),
          Percent.text(step.time(), whole),
          name(step) + ": " + what(step) + (next == null ? "" : leads(step, next)));
    }
    table.write(terminal);
    if (path.cut()) {
      terminal.line("the path began before the first step: no more steps are shown");
    }
    notes();
  }

  /** How much of the path was on which thread, and how much of it was waiting. */
  private void sums(long whole) {
    Map<String, Long> sums = new TreeMap<>();
    for (PathStep step : path.steps()) {
      String who =
          switch (step.kind()) {
            case DID -> name(step);
            case WAITED -> name(step) + ", " + waiting(step, "");
            case MESSAGE -> "messages on their way";
            case NOT_BEGUN -> "before there was anything of " + name(step);
          };
      sums.merge(who, step.time(), Long::sum);
    }
    List<Map.Entry<String, Long>> sorted = new ArrayList<>(sums.entrySet());
    sorted.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
    TextTable table = new TextTable();
    for (Map.Entry<String, Long> each : sorted) {
      table.row(Nanos.text(each.getValue()), Percent.text(each.getValue(), whole), each.getKey());
    }
    table.write(terminal);
  }

  private String name(PathStep step) {
    Track track = timeline.tracks().get(step.track());
    return track.tid() == 0 ? track.name() : track.name() + " " + track.tid();
  }

  private TracedMethod state(PathStep step) {
    return timeline.method(step.state());
  }

  private String what(PathStep step) {
    return switch (step.kind()) {
      case DID -> did(step);
      case WAITED -> waiting(step, object(step)) + unknown(step);
      case MESSAGE -> "message on its way: " + state(step).name();
      case NOT_BEGUN -> "nothing is known about it yet";
    };
  }

  private String did(PathStep step) {
    String in = step.call() < 0 ? "runs" : "in " + timeline.method(step.call()).qualifiedName();
    CauseSplit split = step.split();
    if (split.unknown() == step.time()) {
      return in;
    }
    StringJoiner parts = new StringJoiner(", ", " (", ")");
    parts.setEmptyValue("");
    part(parts, "on a processor", split.running());
    part(parts, "interrupted", split.interrupted());
    part(parts, "runnable", split.runnable());
    part(parts, "blocked", split.blocked());
    part(parts, "unknown", split.unknown());
    return in + parts;
  }

  private static void part(StringJoiner parts, String what, long time) {
    if (time > 0) {
      parts.add(what + " " + Nanos.text(time));
    }
  }

  /** Why the path goes on elsewhere. */
  private String leads(PathStep step, PathStep next) {
    boolean ends = step.kind() == Kind.DID && step.state() >= 0;
    return ends && next.track() != step.track()
        ? "; then " + name(next) + " goes on, which waited for " + wait(step)
        : "";
  }

  private String wait(PathStep step) {
    return StateText.name(state(step)) + object(step);
  }

  private static String object(PathStep step) {
    return step.object() == 0 ? "" : "@" + Integer.toHexString(step.object());
  }

  private String waiting(PathStep step, String object) {
    TracedMethod state = state(step);
    if (isSleep(step)) {
      return "asleep";
    }
    return state.is(SchedulerState.BLOCKED)
        ? KernelWords.of(state, "")
        : "waiting for " + StateText.name(state) + object;
  }

  private boolean isSleep(PathStep step) {
    return state(step).is(WaitKind.SLEEP);
  }

  private String unknown(PathStep step) {
    return isSleep(step) ? "" : "; it is not known who ended the wait";
  }

  private void notes() {
    boolean waits =
        timeline.tracks().stream()
            .anyMatch(t -> t.kind() == TrackKind.STATES || t.kind() == TrackKind.SCHEDULED);
    if (!waits) {
      terminal.line(
          "the recording does not show what threads waited for: 'kymo record' with '--waits on',"
              + " '--kernel cswitch,ipc' or, for native programs, '--threads' records that");
    }
  }
}
