package dev.kymo.editing.slice;

import dev.kymo.editing.clocks.ClockCounters;
import dev.kymo.format.Definition;
import dev.kymo.format.NoticeCode;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/** Definitions of one recording, as the recording of several has them. */
final class PartDefinitions {
  private final Part part;
  private final Supplier<LongUnaryOperator> clocks;
  private boolean noticed;

  /** Kinds of kernel events, by the numbers that the recording gives them. */
  private final Map<Integer, Definition.KernelEvent> kernelEvents = new TreeMap<>();

  /**
   * None yet.
   *
   * @param clocks how its clocks are converted at present
   */
  PartDefinitions(Part part, Supplier<LongUnaryOperator> clocks) {
    this.part = part;
    this.clocks = clocks;
  }

  /** The kinds of kernel events that were defined so far, by their old numbers. */
  Collection<Definition.KernelEvent> kernelEvents() {
    return kernelEvents.values();
  }

  /** Of what recordings say of themselves there is one; the others' are notices. */
  void whole(long clock, Definition what, DefinitionFile to) throws IOException {
    if (what instanceof Definition.Recording about && part.number() > 0) {
      to.define(
          clock,
          new Definition.Notice(
              0,
              "merged: recording=%s command=\"%s\" host=%s kernel=\"%s\" processor=\"%s\""
                  .formatted(
                      part.source().recording().name(),
                      about.command(),
                      about.host(),
                      about.kernel(),
                      about.processor())));
    } else if (!(what instanceof Definition.Stream)) { // the files are others
      to.define(clock, of(what));
    }
    if (!noticed) {
      to.define(clock, merged());
      noticed = true;
    }
  }

  private Definition.Notice merged() {
    RecordingMerge.Source source = part.source();
    return new Definition.Notice(
        0,
        "merged: recording=%s processes from %d offset=%d ns; %s"
            .formatted(
                source.recording().name(),
                part.process(1),
                source.drift().offset(),
                source.joined()));
  }

  /** Says by how much the times of a process may be wrong, in addition to what was said before. */
  static Definition.Notice clockError(int process, long nanos) {
    return new Definition.Notice(process, NoticeCode.CLOCK_ERROR.text() + nanos + " ns");
  }

  /** Whether calls that were only counted can be in the recording of several. */
  boolean canCount() {
    return ClockCounters.areAsFast(part.clock().clock(), part.clock().to());
  }

  /** Says that they are not. */
  Definition.Notice notCounted(int process) {
    return new Definition.Notice(
        process,
        "calls that were only counted are missing: they were counted on a clock of another speed: recording="
            + part.source().recording().name());
  }

  /** The same with its new numbers. */
  Definition of(Definition what) {
    return switch (what) {
      case Definition.TracedProcess p ->
          new Definition.TracedProcess(
              part.process(p.process()), p.pid(), p.parentPid(), p.command(), p.jvm());
      case Definition.ProcessEnd end ->
          new Definition.ProcessEnd(part.process(end.process()), end.how(), end.lost());
      case Definition.ProbeCost cost ->
          new Definition.ProbeCost(
              part.process(cost.process()),
              cost.budget(),
              cost.inside(),
              cost.outside(),
              cost.timed(),
              cost.sampled(),
              cost.spread());
      case Definition.OwnCost own ->
          new Definition.OwnCost(
              part.process(own.process()),
              own.weaving(),
              own.classes(),
              own.housekeeping(),
              own.lifetime());
      case Definition.ProcessorTime time ->
          new Definition.ProcessorTime(part.process(time.process()), time.all(), time.compiling());
      case Definition.Notice notice ->
          new Definition.Notice(part.process(notice.process()), notice.text());
      case Definition.ClockPair pair ->
          new Definition.ClockPair(
              clocks.get().applyAsLong(pair.clock()), pair.monotonic(), pair.wall());
      case Definition.KernelEvent kind -> kernelEvent(kind);
      default -> what; // its numbers are those of its process
    };
  }

  private Definition kernelEvent(Definition.KernelEvent kind) {
    kernelEvents.put(kind.event(), kind);
    return new Definition.KernelEvent(
        part.kinds().applyAsInt(kind.event()), kind.subsystem(), kind.format());
  }
}
