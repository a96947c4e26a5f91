package dev.kymo.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where the events of one thread are, and states from which its calls can be rebuilt. */
final class TrackIndex {
  final List<Snapshot> snapshots = new ArrayList<>(1);
  private int[] streams = {};
  private int lastStream = -1;
  private long eventsAtSnapshot;

  void on(int stream) {
    if (stream == lastStream) {
      return;
    }
    lastStream = stream;
    for (int known : streams) {
      if (known == stream) {
        return;
      }
    }
    streams = Arrays.copyOf(streams, streams.length + 1);
    streams[streams.length - 1] = stream;
  }

  int[] streams() {
    return streams;
  }

  boolean due(long events, long every) {
    return snapshots.isEmpty() || events - eventsAtSnapshot >= every;
  }

  void add(Snapshot snapshot, long events) {
    snapshots.add(snapshot);
    eventsAtSnapshot = events;
  }

  /** Drops every second snapshot but the first; returns the memory of those left, longs. */
  long thin() {
    List<Snapshot> left = new ArrayList<>();
    long size = 0;
    for (int i = 0; i < snapshots.size(); i += 2) {
      left.add(snapshots.get(i));
      size += snapshots.get(i).size();
    }
    snapshots.clear();
    snapshots.addAll(left);
    return size;
  }

  /** The last state that is not later than a clock, or else the first. */
  Snapshot before(long clock) {
    int low = 0;
    int high = snapshots.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (snapshots.get(middle).clock() <= clock) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return snapshots.get(Math.max(0, low - 1));
  }
}
