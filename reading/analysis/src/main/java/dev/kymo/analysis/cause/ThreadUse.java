package dev.kymo.analysis.cause;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a thread did in a part of a recording, and why it did not run.
 *
 * @param track of its calls; of a thread without calls, of what is known of it
 * @param scheduled whether the kernel reports on it; otherwise all of {@code split} is unknown
 * @param split of the time from its first event in the part to its last one, or to the end of a
 *     state that was still open there
 * @param waited nanoseconds, as the program reports it
 * @param why the longest states in which it did not run, by what and by whom; longest first
 * @param atLeast events of it were lost in the part
 */
public record ThreadUse(
    int track,
    boolean scheduled,
    CauseSplit split,
    long waited,
    List<CausePart> why,
    boolean atLeast) {
  /** Reasons that are reported, at most. */
  private static final int REASONS = 3;

  private static final class Tracks {
    @Nullable Track calls;
    @Nullable Track states;
    @Nullable Track scheduled;

    void add(Track track) {
      switch (track.kind()) {
        case CALLS -> calls = track;
        case STATES -> states = track;
        case SCHEDULED -> scheduled = track;
        case JVM, CPU -> {}
      }
    }

    Stream<Track> all() {
      return Stream.of(calls, states, scheduled).flatMap(Stream::ofNullable);
    }
  }

  /** The use of time of all threads that have anything between two times. */
  public static List<ThreadUse> of(Timeline timeline, long from, long to, Progress progress) {
    Map<Integer, Tracks> threads = new HashMap<>();
    for (Track track : timeline.tracks()) {
      if (track.kind() != TrackKind.JVM && track.kind() != TrackKind.CPU) {
        int thread = track.of() >= 0 ? track.of() : track.id();
        threads.computeIfAbsent(thread, _ -> new Tracks()).add(track);
      }
    }
    progress.expect(threads.size());
    List<ThreadUse> uses = new ArrayList<>();
    threads.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(thread -> {
          ThreadUse use = of(timeline, thread.getKey(), thread.getValue(), from, to, progress);
          if (use != null) {
            uses.add(use);
          }
          progress.add(1);
        });
    return uses;
  }

  private static @Nullable ThreadUse of(
      Timeline timeline, int thread, Tracks tracks, long from, long to, Progress progress) {
    long begin = Math.max(from, tracks.all().mapToLong(Track::begin).min().orElse(to));
    long end =
        Math.min(to, tracks.all().mapToLong(track -> end(timeline, track, to)).max().orElse(from));
    if (begin > end) {
      return null;
    }
    StateParts parts = new StateParts(timeline, thread, begin, end, progress);
    Stream.of(tracks.states, tracks.scheduled).flatMap(Stream::ofNullable).forEach(parts::add);
    List<CausePart> waits =
        parts.waits().stream()
            .filter(part -> part.time() > 0)
            .filter(part -> !ReportedTimes.isWeaving(timeline.method(part.method())))
            .toList();
    CauseSplit split = new CauseSplit(0, 0, 0, 0, end - begin, 0);
    Track scheduled = tracks.scheduled;
    if (scheduled != null && begin < end) {
      long[] times = {begin, end};
      split = SchedulerSums.of(timeline, scheduled.id(), times, progress).between(begin, end);
    }
    // The program's report of a wait says more than the kernel's of the same time.
    List<CausePart> why = waits.isEmpty() ? parts.kernel() : waits;
    return new ThreadUse(
        thread,
        scheduled != null,
        split,
        waits.stream().mapToLong(CausePart::time).sum(),
        why.stream().filter(part -> part.time() > 0).limit(REASONS).toList(),
        tracks.all().anyMatch(track -> timeline.isLossy(track.id(), from, to)));
  }

  /** Of states the end of the last, which may be open and last longer than there are events. */
  private static long end(Timeline timeline, Track track, long to) {
    long[] end = {track.end()};
    if (track.kind() != TrackKind.CALLS && track.end() < to) {
      timeline.calls(
          track.id(),
          track.end(),
          to,
          (depth, method, begin, finish, flags) -> end[0] = Math.max(end[0], finish));
    }
    return end[0];
  }
}
