package dev.kymo.analysis.selection;

import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Part of a recording that somebody asks about. A call belongs to it if it overlaps the times, and
 * counts with the time it has inside.
 *
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin; a call that begins just then belongs to it
 * @param tracks numbers, each once
 */
public record TimelineSelection(long from, long to, List<Integer> tracks) {
  /** The part of a call's time that lies inside. */
  public long inside(long begin, long end) {
    return Math.min(end, to) - Math.max(begin, from);
  }

  /** Without tracks that show no calls, unless there are no others. */
  public TimelineSelection ofCalls(Timeline timeline) {
    List<Track> known = timeline.tracks();
    List<Integer> calls =
        tracks.stream().filter(track -> known.get(track).kind() == TrackKind.CALLS).toList();
    return calls.isEmpty() ? this : new TimelineSelection(from, to, calls);
  }

  /** Hands out what was counted in it, track by track. */
  public void counted(Timeline timeline, Consumer<CountedCalls> visitor) {
    Counts counts = timeline.counts();
    for (int track : tracks) {
      if (counts.calls(track) > 0) {
        counts.between(track, from, to, visitor);
      }
    }
  }

  /** What was counted in it, and left out. */
  public SelectionFacts facts(Timeline timeline) {
    SelectionFacts.Sums sums = new SelectionFacts.Sums();
    counted(timeline, sums);
    return sums.facts(timeline.steps(), from, to);
  }

  /** Whether events were lost in it, so that sums over it are lower bounds. */
  public boolean lossy(Timeline timeline) {
    return !lossyProcesses(timeline).isEmpty();
  }

  /** Numbers of the processes whose events were lost in it. */
  public Set<Integer> lossyProcesses(Timeline timeline) {
    List<Track> known = timeline.tracks();
    Set<Integer> selected = new HashSet<>();
    tracks.forEach(track -> selected.add(known.get(track).process()));
    Set<Integer> lossy = new HashSet<>();
    // A thread of which no wait is known may have had some, in the ring that has its calls.
    for (int track : hasAllStates(timeline) ? withCalls(timeline) : tracks) {
      if (timeline.isLossy(track, from, to)) {
        lossy.add(known.get(track).process());
      }
    }
    // Lost without a ring: nobody knows of which thread and when.
    boolean all = tracks.size() == known.size();
    for (TracedProcess process : timeline.processes()) {
      if (process.lost() > 0 && (all || selected.contains(process.process()))) {
        lossy.add(process.process());
      }
    }
    return lossy;
  }

  private boolean hasAllStates(Timeline timeline) {
    return !tracks.isEmpty() && tracks.equals(of(timeline, TrackKind.STATES));
  }

  private List<Integer> withCalls(Timeline timeline) {
    List<Integer> more = new ArrayList<>(tracks);
    more.addAll(of(timeline, TrackKind.CALLS));
    return more;
  }

  private static List<Integer> of(Timeline timeline, TrackKind kind) {
    return timeline.tracks().stream().filter(track -> track.kind() == kind).map(Track::id).toList();
  }
}
