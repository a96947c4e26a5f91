package dev.kymo.agent;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.recorder.OwnThreads;
import dev.kymo.recorder.StateTracks;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes threads' loads as a counter, each thread's into a track of its own. */
final class LoadWriter {
  /** Of more threads it is not written: every one that is defined is kept by whoever reads. */
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
    if (OwnThreads.isOne(load.name()) || threads.size() == MOST_THREADS) {
      return 0;
    }
    int track = tracks.define(TracedThread.JVM, load.thread(), "Load of " + load.name());
    threads.put(load.thread(), track);
    return track;
  }
}
