package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.Definition.OwnCost;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.util.Optional;

/**
 * What recording may take of a process, and what it took; nanoseconds of processor time.
 *
 * @param budget what probes may take of a thread's time, in millionths
 * @param probes events and counted calls times what each costs
 * @param weaving putting probes into classes
 * @param housekeeping Kymo's own threads in the program
 * @param lifetime how long the process was recorded
 */
record RecorderFacts(int budget, long probes, long weaving, long housekeeping, long lifetime) {
  private static final double PICOS = 1e-3;

  /** Nothing if the process did not say what its probes cost. */
  static Optional<RecorderFacts> of(Timeline timeline, int process) {
    Optional<OwnCost> own =
        timeline.ownCosts().stream().filter(cost -> cost.process() == process).findFirst();
    return timeline
        .probeCost(process)
        .map(cost ->
            new RecorderFacts(
                cost.budget(),
                Math.round(probes(timeline, process, cost) * PICOS),
                own.map(OwnCost::weaving).orElse(0L),
                own.map(OwnCost::housekeeping).orElse(0L),
                own.map(OwnCost::lifetime).orElseGet(timeline::duration)));
  }

  /** Picoseconds. */
  private static double probes(Timeline timeline, int process, ProbeCost cost) {
    double pair = cost.inside() + (double) cost.outside();
    double[] sum = {0};
    for (Track track : timeline.tracks()) {
      if (track.process() == process && track.kind() == TrackKind.CALLS) {
        sum[0] += track.calls() * pair;
        timeline
            .counts()
            .between(
                track.id(),
                0,
                Long.MAX_VALUE / 2,
                counted -> {
                  boolean timed = counted.mode() == MethodMode.TIMED;
                  sum[0] += counted.calls() * (double) (timed ? cost.timed() : cost.sampled());
                });
      }
    }
    return sum[0];
  }

  static void write(JsonGenerator json, Optional<RecorderFacts> facts) throws IOException {
    json.writeNumberField("budget", facts.map(RecorderFacts::budget).orElse(-1));
    if (facts.isPresent()) {
      RecorderFacts known = facts.get();
      json.writeObjectFieldStart("took");
      json.writeNumberField("probes", known.probes);
      json.writeNumberField("weaving", known.weaving);
      json.writeNumberField("housekeeping", known.housekeeping);
      json.writeNumberField("lifetime", known.lifetime);
      json.writeEndObject();
    }
  }
}
