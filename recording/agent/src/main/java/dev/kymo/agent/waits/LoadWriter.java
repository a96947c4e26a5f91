package dev.kymo.agent.waits;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.recorder.platform.RecorderThreads;
import dev.kymo.recorder.waits.StateTracks;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes the load of each thread as a counter on its own track. */
final class LoadWriter {
  /** The loads of more threads are not written: readers keep every counter that is defined. */
  private static final int MOST_THREADS = 10_000;

  private static final double PERCENT = 100;

  private final StateTracks tracks;
  private final Map<Long, Integer> threads = new HashMap<>();

  LoadWriter(StateTracks tracks) {
    this.tracks = tracks;
  }

  /** Writes them in the order of their times. */
  void write(List<Load> loads) {
    loads.sort(Comparator.comparingLong(Load::time));
    for (Load load : loads) {
      int track = track(load);
      if (track > 0) {
        tracks.load(track, load.time(), load.share() * PERCENT);
      }
    }
  }

  private int track(Load load) {
    Integer known = threads.get(load.thread());
    if (known != null) {
      return known;
    }
    if (RecorderThreads.isOne(load.name()) || threads.size() == MOST_THREADS) {
      return 0;
    }
    int track = tracks.define(TracedThread.JVM, load.thread(), "Load of " + load.name());
    threads.put(load.thread(), track);
    return track;
  }
}
