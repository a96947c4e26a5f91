package dev.kymo.analysis.summary;

import dev.kymo.analysis.costs.CountedTrack;
import dev.kymo.format.Definition.OwnCost;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TrackKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What recording took of one process; nanoseconds of processor time.
 *
 * @param probes events and counted calls times what each costs
 * @param weaving putting probes into classes; 0 if it is not known
 * @param classes that got probes
 * @param housekeeping Kymo's own threads in the program
 * @param lifetime how long the process was recorded
 * @param most the thread of whose time probes took the largest share; empty if there are no calls
 */
public record RecorderShare(
    double probes,
    long weaving,
    int classes,
    long housekeeping,
    long lifetime,
    Optional<OfThread> most) {

  /** Threads that lived for less than this say nothing about shares. */
  private static final long SHORT = 10_000_000;

  /**
   * A thread's share.
   *
   * @param share of the time between its first and last event, waiting included
   */
  public record OfThread(ThreadCalls thread, double share) {}

  /** Adds up a pass that has run; nothing if nobody knows what the process's probes cost. */
  public static Optional<RecorderShare> of(CallPass pass, int process) {
    return pass.probeCost(process).map(cost -> of(pass, process, cost));
  }

  private static RecorderShare of(CallPass pass, int process, ProbeCost cost) {
    Counts counts = pass.counts();
    NanoClock clock = pass.nanoClock();
    double probes = 0;
    OfThread most = null;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (ThreadCalls thread : pass.threads()) {
      boolean calls = TrackKind.of(thread.definition()) == TrackKind.CALLS;
      if (thread.process() != process || !calls) {
        continue;
      }
      CountedTrack track = CountedTrack.of(counts, thread, cost, clock);
      double took = track.probes();
      probes += took;
      long begin = track.first();
      long end = track.last();
      first = Math.min(first, begin);
      last = Math.max(last, end);
      most = begin > end ? most : more(most, thread, took, end - begin);
    }
    Optional<OwnCost> own =
        pass.ownCosts().stream().filter(o -> o.process() == process).findFirst();
    return new RecorderShare(
        probes,
        own.map(OwnCost::weaving).orElse(0L),
        own.map(OwnCost::classes).orElse(0),
        own.map(OwnCost::housekeeping).orElse(0L),
        own.map(OwnCost::lifetime).orElse(Math.max(0, last - first)),
        Optional.ofNullable(most));
  }

  private static @Nullable OfThread more(
      @Nullable OfThread most, ThreadCalls thread, double took, long life) {
    if (life < SHORT) {
      return most;
    }
    double share = took / life;
    return most == null || share > most.share ? new OfThread(thread, share) : most;
  }

  /** All of it in the program. */
  public double all() {
    return probes + weaving + housekeeping;
  }
}
