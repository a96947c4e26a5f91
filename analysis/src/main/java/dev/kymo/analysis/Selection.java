package dev.kymo.analysis;

import dev.kymo.model.Timeline;
import dev.kymo.model.TracedProcess;
import dev.kymo.model.Track;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Part of a recording that somebody asks about. A call belongs to it if it overlaps the times, and
 * counts with the time it has inside.
 *
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin; a call that begins just then belongs to it
 * @param tracks numbers, each once
 */
public record Selection(long from, long to, List<Integer> tracks) {
  /** The part of a call's time that lies inside. */
  long inside(long begin, long end) {
    return Math.min(end, to) - Math.max(begin, from);
  }

  /** Whether events were lost in it, so that sums over it are lower bounds. */
  public boolean lossy(Timeline timeline) {
    for (int track : tracks) {
      if (!timeline.gaps(track, from, to).isEmpty()) {
        return true;
      }
    }
    // Lost without a ring: nobody knows of which thread and when.
    List<Track> known = timeline.tracks();
    boolean all = tracks.size() == known.size();
    Set<Integer> processes = new HashSet<>();
    tracks.forEach(track -> processes.add(known.get(track).process()));
    for (TracedProcess process : timeline.processes()) {
      if (process.lost() > 0 && (all || processes.contains(process.process()))) {
        return true;
      }
    }
    return false;
  }
}
