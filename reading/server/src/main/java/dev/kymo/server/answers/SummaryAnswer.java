package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.costs.SelfTime;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.SelectionSummary;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/** {@code /api/summary}: what each method cost. */
public final class SummaryAnswer {
  private static final int COMPLETE = 0;
  private static final int LEFT_OUT = 1;
  private static final int UNTIMED = 2;
  private static final int LOST = 3;

  private final Timeline timeline;
  private final Set<Integer> lossyProcesses;

  private SummaryAnswer(Timeline timeline, Set<Integer> lossyProcesses) {
    this.timeline = timeline;
    this.lossyProcesses = lossyProcesses;
  }

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    return progress -> {
      List<MethodCost> costs = SelectionSummary.of(timeline, selection, progress);
      Set<Integer> lossy = selection.lossyProcesses(timeline);
      return json -> new SummaryAnswer(timeline, lossy).write(json, costs);
    };
  }

  private void write(JsonGenerator json, List<MethodCost> costs) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("atLeast", !lossyProcesses.isEmpty());
    new Columns<>(json, costs)
        .ints("method", MethodCost::method)
        .numbers("calls", MethodCost::calls)
        .numbers("total", MethodCost::total)
        .numbers("self", MethodCost::self)
        .numbers("average", MethodCost::average)
        .numbers("p50", cost -> cost.percentile(0.5))
        .numbers("p99", cost -> cost.percentile(0.99))
        .numbers("max", MethodCost::max)
        .ints("maxTrack", cost -> cost.longest().map(PlacedCall::track).orElse(-1))
        .ints("maxDepth", cost -> cost.longest().map(PlacedCall::depth).orElse(-1))
        .times("maxBegin", cost -> cost.longest().map(PlacedCall::begin).orElse(0L))
        .numbers("counted", MethodCost::counted)
        .ints("estimated", cost -> cost.estimated() ? 1 : 0)
        .ints("missing", this::missing);
    selfTimes(json, costs);
    corrected(json, "correctedTotal", costs, CorrectedTimes::total);
    corrected(json, "correctedSelf", costs, CorrectedTimes::self);
    corrected(json, "error", costs, CorrectedTimes::error);
    json.writeEndObject();
  }

  /** Why there may be more of a method. */
  private int missing(MethodCost cost) {
    if (cost.leftOut()) {
      return LEFT_OUT;
    }
    if (lossyProcesses.contains(timeline.method(cost.method()).process())) {
      return LOST;
    }
    return cost.untimed() ? UNTIMED : COMPLETE;
  }

  /** What the self times were, a column for each reason; nothing where none is known. */
  private static void selfTimes(JsonGenerator json, List<MethodCost> costs) throws IOException {
    json.writeFieldName("selfTime");
    if (costs.stream().allMatch(cost -> cost.selfTime().equals(SelfTime.UNKNOWN))) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    new Columns<>(json, costs)
        .numbers("weaving", cost -> cost.selfTime().weaving())
        .numbers("waiting", cost -> cost.selfTime().waiting())
        .numbers("stopped", cost -> cost.selfTime().stopped())
        .numbers("blocked", cost -> cost.selfTime().blocked())
        .numbers("runnable", cost -> cost.selfTime().runnable())
        .numbers("loading", cost -> cost.selfTime().loading())
        .numbers("running", cost -> cost.selfTime().running());
    json.writeEndObject();
  }

  /** A column of times without what the probes took, as far as that is known. */
  private static void corrected(
      JsonGenerator json, String name, List<MethodCost> costs, ToLongFunction<CorrectedTimes> time)
      throws IOException {
    if (costs.stream().noneMatch(cost -> cost.corrected().isPresent())) {
      json.writeNullField(name);
      return;
    }
    json.writeArrayFieldStart(name);
    for (MethodCost cost : costs) {
      if (cost.corrected().isPresent()) {
        long nanos = time.applyAsLong(cost.corrected().get());
        json.writeNumber(Math.min(nanos, SliceColumns.MAX_OFFSET));
      } else {
        json.writeNull();
      }
    }
    json.writeEndArray();
  }
}
