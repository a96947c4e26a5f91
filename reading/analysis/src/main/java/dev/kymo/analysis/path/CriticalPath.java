package dev.kymo.analysis.path;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.timeline.Timeline;
import java.util.List;

/**
 * The path that decided how long something took: from the end backwards, always along the thread
 * that the rest had to wait for. Where a thread waited and it is known who let it go on, the path
 * is on that one until then; where it waited for a message, on whoever sent it.
 *
 * @param steps in the order of time, without gaps; the last one ends at the end asked for
 * @param cut whether there are more before the first
 */
public record CriticalPath(List<PathStep> steps, boolean cut) {
  /** More steps are not looked for. */
  public static final int MOST = 10_000;

  /**
   * Finds it.
   *
   * @param track any of the thread that the path ends on
   * @param from nanoseconds since the recording's begin, to which it is followed
   * @param to where it ends; {@code from < to}
   */
  public static CriticalPath of(
      Timeline timeline, int track, long from, long to, Progress progress) {
    PathThreads threads = new PathThreads(timeline, from, to, progress);
    PathWalk walk = new PathWalk(timeline, threads, track, from, to, progress);
    boolean whole = walk.back();
    return new CriticalPath(new StepFacts(timeline, threads, progress).addTo(walk.steps()), !whole);
  }
}
