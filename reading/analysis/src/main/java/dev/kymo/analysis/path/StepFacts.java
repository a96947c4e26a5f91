package dev.kymo.analysis.path;

import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.cause.SchedulerSums;
import dev.kymo.analysis.path.PathStep.Kind;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Adds to the steps of a path what their threads did during them. */
final class StepFacts {
  private final Timeline timeline;
  private final PathThreads threads;
  private final Progress progress;

  StepFacts(Timeline timeline, PathThreads threads, Progress progress) {
    this.timeline = timeline;
    this.threads = threads;
    this.progress = progress;
  }

  List<PathStep> addTo(List<PathStep> steps) {
    Map<Integer, @Nullable SchedulerSums> sums = new HashMap<>();
    List<PathStep> full = new ArrayList<>();
    for (PathStep step : steps) {
      progress.check();
      if (!sums.containsKey(step.track())) {
        sums.put(step.track(), sums(step.track(), steps));
      }
      SchedulerSums known = sums.get(step.track());
      boolean ofThread = step.kind() == Kind.DID || step.kind() == Kind.WAITED;
      CauseSplit split =
          known == null || !ofThread
              ? new CauseSplit(0, 0, 0, 0, step.time(), 0)
              : known.between(step.begin(), step.end());
      full.add(
          new PathStep(
              step.kind(),
              step.track(),
              step.begin(),
              step.end(),
              ofThread ? call(step) : -1,
              split,
              step.state(),
              step.object()));
    }
    return full;
  }

  private @Nullable SchedulerSums sums(int track, List<PathStep> steps) {
    int scheduled = threads.of(track).scheduled;
    if (scheduled < 0) {
      return null;
    }
    long[] times =
        steps.stream()
            .filter(step -> step.track() == track)
            .flatMapToLong(step -> LongStream.of(step.begin(), step.end()))
            .sorted()
            .distinct()
            .toArray();
    return SchedulerSums.of(timeline, scheduled, times, progress);
  }

  /** What takes half as long as the step is reported by itself, however many calls there are. */
  private int call(PathStep step) {
    if (timeline.tracks().get(step.track()).kind() != TrackKind.CALLS) {
      return -1;
    }
    long most = Math.max(1, step.time() / 2);
    int[] innermost = {-1};
    timeline.slices(
        step.track(),
        step.begin(),
        step.end(),
        most,
        (depth, method, begin, end, calls, flags) -> {
          long inside = Math.min(end, step.end()) - Math.max(begin, step.begin());
          if (calls == 1 && inside >= most) {
            innermost[0] = method;
          }
        });
    return innermost[0];
  }
}
