package dev.kymo.analysis.samples;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.tree.CallTree;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who called whom in the samples of a selection. In its tree, calls are samples, and times are what
 * the samples are weighed by.
 *
 * @param kinds of samples in the selection, also those that were not asked for, by name
 * @param unknown samples that are not in the tree because their stack is not known
 */
public record SampleTree(List<Kind> kinds, long unknown, CallTree tree) {
  private static final int REPORT_EVERY = 1024;

  /** How many samples of a kind there are. */
  public record Kind(String name, long samples) {}

  /**
   * What is asked for.
   *
   * @param kinds of samples
   * @param unit that samples are weighed by, those without it weigh nothing; empty = each counts 1
   * @param up the roots are the methods that were seen running, their callers below them
   */
  public record Question(Set<String> kinds, String unit, boolean up) {
    private boolean wants(SampleSums.Group group) {
      return kinds.contains(group.kind()) && (unit.isEmpty() || unit.equals(group.unit()));
    }
  }

  /** Reads the samples of a selection. */
  public static SampleTree of(
      Timeline timeline, TimelineSelection selection, Question question, Progress progress) {
    SampleSums sums = new SampleSums(question::wants);
    read(timeline, selection, sums, progress);
    Map<String, Long> kinds = new TreeMap<>();
    sums.forEach((group, counts) -> kinds.merge(group.kind(), counts.all(), Long::sum));
    List<Kind> all = new ArrayList<>();
    kinds.forEach((name, samples) -> all.add(new Kind(name, samples)));
    return timeline.stacks(stacks -> of(all, stacks, sums, question));
  }

  private static void read(
      Timeline timeline, TimelineSelection selection, SampleSums sums, Progress progress) {
    long end = Math.min(selection.to(), timeline.duration());
    progress.expect(Math.max(0, end - selection.from()));
    int[] events = {0};
    long[] reached = {selection.from()};
    timeline.events(
        selection.tracks(),
        selection.from(),
        selection.to(),
        (time, event, batch, word) -> {
          if (++events[0] % REPORT_EVERY == 0) {
            progress.check();
            progress.add(Math.max(0, time - reached[0]));
            reached[0] = Math.max(reached[0], time);
          }
          sums.add(event, batch, word);
        });
  }

  private static SampleTree of(
      List<Kind> kinds, SampledStacks stacks, SampleSums sums, Question question) {
    SampledPaths paths = new SampledPaths(stacks, !question.unit.isEmpty());
    sums.forEach((group, counts) -> {
      if (question.wants(group)) {
        paths.add(group.process(), counts);
      }
    });
    CallTree tree = paths.tree(question.up);
    return new SampleTree(kinds, paths.unknown(), tree);
  }
}
