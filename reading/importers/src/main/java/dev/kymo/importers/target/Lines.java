package dev.kymo.importers.target;

import dev.kymo.writer.TrackStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** Writes what happened, in the order of time, and ends the calls whose ends are known. */
final class Lines {
  private final Troubles troubles;
  private final PriorityQueue<End> ends = new PriorityQueue<>();
  private final Map<TargetTrack, TargetTrack> beside = new HashMap<>();
  private long sequence;

  /** The end of a call; of calls that end together the one that began last ends first. */
  private record End(long clock, long order, TargetTrack track, int depth)
      implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byClock = Long.compare(clock, other.clock);
      return byClock != 0 ? byClock : Long.compare(other.order, order);
    }
  }

  Lines(Troubles troubles) {
    this.troubles = troubles;
  }

  /** Ends the calls that end at a time or before it. */
  void endCalls(long upTo) throws IOException {
    for (End end = ends.peek(); end != null && end.clock <= upTo; end = ends.peek()) {
      ends.remove();
      TargetTrack track = end.track;
      if (track.depth() == end.depth && track.topEnd() == end.clock) { // not ended before
        leave(track, end.clock, 0);
      }
    }
  }

  void write(TargetTrack track, long clock, Happening what) throws IOException {
    switch (what.kind()) {
      case ENTER -> enter(track, clock, what);
      case ENTER_EVENT -> {
        TargetTrack on = enter(track, clock, what);
        stream(on).event(on.number(), clock, what.id(), what.value());
      }
      case ENTER_DATA -> {
        TargetTrack on = enter(track, clock, what);
        stream(on).data(on.number(), clock, what.id(), what.data());
      }
      case LEAVE -> leave(track, clock, what);
      case UNWIND -> unwind(track, clock);
      case EVENT -> stream(track).event(track.number(), clock, what.id(), what.value());
      case DATA -> stream(track).data(track.number(), clock, what.id(), what.data());
      case LOSS -> stream(track).lose(what.value());
    }
  }

  private static TrackStream stream(TargetTrack track) throws IOException {
    return track.process().stream();
  }

  /** Begins a call; returns the track that it is on. */
  private TargetTrack enter(TargetTrack track, long clock, Happening what) throws IOException {
    if (!what.isWholeCall()) {
      begin(track, clock, what.id(), Happening.OPEN);
      return track;
    }
    long end = Math.max(clock, what.end());
    TargetTrack on = track;
    while (on.topEnd() < end) {
      on = beside(on, clock);
    }
    begin(on, clock, what.id(), end);
    ends.add(new End(end, sequence++, on, on.depth()));
    return on;
  }

  private static void begin(TargetTrack track, long clock, int function, long end)
      throws IOException {
    stream(track).enter(track.number(), clock, function);
    track.push(function, end);
  }

  private TargetTrack beside(TargetTrack track, long clock) throws IOException {
    troubles.count(
        "calls overlap without lying in each other; they are on a track beside",
        "track=\"" + track.name() + "\" time=" + clock);
    TargetTrack known = beside.get(track);
    if (known == null) {
      known = track.process().track(track.name() + " (beside)");
      beside.put(track, known);
    }
    return known;
  }

  private void leave(TargetTrack track, long clock, Happening what) throws IOException {
    if (what.id() < 0 && track.depth() > 0 && track.topEnd() != Happening.OPEN) {
      endWhole(track, clock);
    }
    if (track.depth() > 0 && (what.id() < 0 || track.isOpen(what.id()))) {
      while (what.id() >= 0 && track.top() != what.id()) {
        leave(track, clock, 0);
      }
      leave(track, clock, (int) what.value());
    } else if (what.id() >= 0) { // its begin was before the file's
      stream(track).leave(track.number(), clock, what.id(), 0);
    } else {
      troubles.count(
          "ends of calls that had not begun were left out",
          "track=\"" + track.name() + "\" time=" + clock);
    }
  }

  /** Ends calls before their ends, because one that they are in ends. */
  private void endWhole(TargetTrack track, long clock) throws IOException {
    while (track.hasOpenEnd() && track.topEnd() != Happening.OPEN) {
      troubles.count(
          "calls last longer than the call that they are in; they end with it",
          "track=\"" + track.name() + "\" time=" + clock);
      leave(track, clock, 0);
    }
  }

  private static void leave(TargetTrack track, long clock, int by) throws IOException {
    stream(track).leave(track.number(), clock, track.pop(), by);
  }

  private void unwind(TargetTrack track, long clock) throws IOException {
    if (track.depth() > 0) {
      stream(track).unwind(track.number(), clock, track.pop());
    }
  }
}
