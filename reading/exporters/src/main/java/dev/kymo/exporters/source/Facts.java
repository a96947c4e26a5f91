package dev.kymo.exporters.source;

import dev.kymo.exporters.source.ExportSource.Loss;
import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.TracedProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Facts of a recording as a whole, as lines for a format's comments or metadata. */
public final class Facts {
  private final ExportSource source;
  private final List<Fact> facts = new ArrayList<>();

  /** One line. */
  public record Fact(String name, String value) {
    @Override
    public String toString() {
      return name + ": " + value;
    }
  }

  private Facts(ExportSource source) {
    this.source = source;
  }

  public static List<Fact> of(ExportSource source) {
    Facts made = new Facts(source);
    made.whole();
    made.processes();
    source.tracks().forEach(made::track);
    source
        .definitions()
        .notices()
        .forEach(
            notice -> made.add("notice", "process " + notice.process() + ": " + notice.text()));
    List<String> oddities = source.pass().oddities();
    if (!oddities.isEmpty()) {
      made.add("oddities", oddities.size() + ", the first: " + oddities.getFirst());
    }
    return made.facts;
  }

  /** Nanoseconds from 1970 to the recording's begin. */
  public static long wallBegin(ExportSource source) {
    Clock clock = source.pass().clock();
    return clock.wallOffset() + clock.nanos(source.pass().base());
  }

  private void add(String name, String value) {
    facts.add(new Fact(name, value));
  }

  private void whole() {
    CallPass pass = source.pass();
    add("recording", pass.recording().name());
    Definition.Recording whole = pass.definitions().recording().orElse(null);
    if (whole != null) {
      add("command", whole.command());
      add("host", whole.host());
      add("kernel", whole.kernel());
      add("processor", whole.processor() + ", " + whole.processors() + " processors");
    }
    Clock clock = pass.clock();
    add("clock", clock.name() + ", " + clock.frequency() + " Hz");
    add("unit", clock.name().equals(Clock.INSTRUCTIONS) ? "1 ns is one instruction" : "ns");
    long begin = wallBegin(source);
    add("begin", Instant.ofEpochSecond(0, begin) + ", " + begin + " ns since 1970");
    add("duration", pass.clock().nanos(pass.end() - pass.base()) + " ns");
    Selected selected = source.selected();
    if (selected.from() > 0 || selected.to() < Long.MAX_VALUE) {
      add(
          "range",
          selected.from() + " to " + selected.to() + " ns; calls that overlap it are whole");
    }
  }

  private void processes() {
    for (TracedProcess process : source.definitions().processes()) {
      String name = "process " + process.process();
      add(name, "pid %d, %s, %s".formatted(process.pid(), process.end(), process.command()));
      if (process.lost() > 0) {
        add("lost of " + name, "events of threads without a ring: " + process.lost());
      }
      source
          .definitions()
          .probeCost(process.process())
          .ifPresent(cost ->
              add(
                  "probe cost of " + name,
                  "%d ps in the call, %d ps in its caller; %d ps counted and timed, %d ps sampled"
                      .formatted(cost.inside(), cost.outside(), cost.timed(), cost.sampled())));
    }
    for (Definition.OwnCost cost : source.definitions().ownCosts()) {
      add(
          "cost of recording process " + cost.process(),
          "%d ns weaving, %d ns housekeeping".formatted(cost.weaving(), cost.housekeeping()));
    }
  }

  private void track(ExportTrack track) {
    List<Loss> losses = source.losses(track);
    if (!losses.isEmpty()) {
      long known = losses.stream().mapToLong(loss -> Math.max(0, loss.count())).sum();
      boolean atLeast = losses.stream().anyMatch(loss -> loss.count() < 0);
      add(
          "lost of " + name(track),
          "%s%d events in %d gaps".formatted(atLeast ? "at least " : "", known, losses.size()));
    }
    source.counted(
        track,
        calls ->
            add(
                "counted of " + name(track),
                "%s: %d calls, %d of them timed, %d ns"
                    .formatted(
                        source.method(calls.method()).qualifiedName(),
                        calls.calls(),
                        calls.timed(),
                        calls.durations())));
  }

  private static String name(ExportTrack track) {
    return "process %d thread %d (%s)"
        .formatted(track.process(), track.thread().thread(), track.title());
  }
}
