package dev.kymo.analysis.cause;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.List;

/**
 * Why a call took as long as it did: what its thread did during the call, as the kernel and the
 * program report it, what it called, and how other calls of the method compare.
 *
 * @param calls track of the thread's calls; -1 = there are none
 * @param scheduled track of what the kernel did with the thread; -1 = not recorded
 * @param recorded what was asked of the kernel: what was not asked for is 0 in {@code split}
 * @param states details of the time in {@code split}; longest first
 * @param waits waits that the program reports during the call, and stops of all threads and loading
 *     of classes for this one that the virtual machine reports; longest first
 * @param children calls it made directly, by method; longest first
 * @param self nanoseconds not spent in those
 * @param counted calls made during it, directly or not, that were counted and not recorded one by
 *     one: their time is part of their callers' time
 */
public record CallCause(
    CallDetail call,
    int calls,
    int scheduled,
    CauseSplit split,
    RecordedStates recorded,
    List<CausePart> states,
    List<CausePart> waits,
    List<Child> children,
    long self,
    long counted,
    Siblings siblings) {

  /** Calls of one method, made directly. */
  public record Child(int method, long calls, long time) {}

  /** Explains a call. Reads all calls, to find those of the same method. */
  public static CallCause of(Timeline timeline, CallDetail call, Progress progress) {
    List<Track> tracks = timeline.tracks();
    Track track = tracks.get(call.track());
    int thread = track.of() >= 0 ? track.of() : track.id();
    boolean alone = thread == track.id() && track.kind() != TrackKind.CALLS;
    int scheduled = scheduledOf(tracks, thread);
    StateParts parts = new StateParts(timeline, thread, call.begin(), call.end(), progress);
    for (Track states : tracks) {
      boolean same = states.of() == thread || states.id() == thread;
      boolean machine =
          states.kind() == TrackKind.JVM
              && states.of() < 0
              && states.process() == track.process()
              && tracks.get(thread).javaId() != 0;
      if (states.id() != call.track() && ((same && states.kind().hasDetails()) || machine)) {
        parts.add(states);
      }
    }
    CallChildren children = new CallChildren(timeline, call, progress);
    TimelineSelection selection =
        new TimelineSelection(call.begin(), call.end(), List.of(call.track()));
    return new CallCause(
        call,
        alone ? -1 : thread,
        scheduled,
        split(timeline, scheduled, call, progress),
        timeline.recordedStates(),
        parts.kernel(),
        parts.waits(),
        children.all(),
        call.end() - call.begin() - children.time(),
        selection.facts(timeline).counted(),
        Siblings.of(timeline, call, progress));
  }

  /** Track of what the kernel did with a thread, given its main track; -1 = none. */
  static int scheduledOf(List<Track> tracks, int thread) {
    for (Track track : tracks) {
      boolean same = track.of() == thread || track.id() == thread;
      if (same && track.kind() == TrackKind.SCHEDULED) {
        return track.id();
      }
    }
    return -1;
  }

  private static CauseSplit split(
      Timeline timeline, int scheduled, CallDetail call, Progress progress) {
    long begin = call.begin();
    long end = call.end();
    if (scheduled < 0 || begin == end) {
      return new CauseSplit(0, 0, 0, 0, end - begin, 0);
    }
    return SchedulerSums.of(timeline, scheduled, new long[] {begin, end}, progress)
        .between(begin, end);
  }
}
