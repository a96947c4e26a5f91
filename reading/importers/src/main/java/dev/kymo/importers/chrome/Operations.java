package dev.kymo.importers.chrome;

import dev.kymo.importers.chrome.json.TraceEvent;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Tracks of asynchronous operations. Events with the same id are on one track; when all calls of an
 * id have ended, the next operation of the same name may have its track.
 */
final class Operations {
  private static final int MOST_OPEN = 100_000;

  /** Free tracks of a name that are tried; they may be in use later than the new begin. */
  private static final int TRIES = 8;

  private final Tracks tracks;
  private final Map<Id, Lane> open = new HashMap<>();
  private final Map<Pool, Deque<Lane>> free = new HashMap<>();

  private record Id(String category, String id, String scope, String pid, String name) {}

  private record Pool(String pid, String category, String name) {}

  /** A track with the number of calls that are open on it. */
  static final class Lane {
    private final TargetTrack track;
    private final Pool pool;
    private long last = Long.MIN_VALUE;
    private int depth;

    private Lane(TargetTrack track, Pool pool) {
      this.track = track;
      this.pool = pool;
    }

    TargetTrack track() {
      return track;
    }
  }

  Operations(Tracks tracks) {
    this.tracks = tracks;
  }

  private static Id id(TraceEvent event) {
    boolean nestable = "bne".contains(event.phase());
    return new Id(
        event.category(),
        event.id(),
        event.scope(),
        event.isLocal() ? event.pid() : "",
        nestable ? "" : event.name());
  }

  boolean isOpen(TraceEvent event) {
    return open.containsKey(id(event));
  }

  /**
   * The track of an event.
   *
   * @param step 1 = a call begins, -1 = one ends, 0 = neither
   */
  TargetTrack track(TraceEvent event, long time, int step) throws IOException {
    Id id = id(event);
    Lane lane = open.get(id);
    if (lane == null) {
      lane = lane(event, time);
      open.put(id, lane);
    }
    lane.last = Math.max(lane.last, time);
    lane.depth += step;
    if (lane.depth == 0 || open.size() > MOST_OPEN) {
      open.remove(id);
      free.computeIfAbsent(lane.pool, none -> new ArrayDeque<>()).add(lane);
      lane.depth = 0;
    }
    return lane.track;
  }

  private Lane lane(TraceEvent event, long time) throws IOException {
    Pool pool = new Pool(event.pid(), event.category(), event.name());
    Deque<Lane> lanes = free.get(pool);
    for (int i = 0; lanes != null && i < Math.min(TRIES, lanes.size()); i++) {
      Lane lane = lanes.remove();
      if (lane.last <= time) {
        return lane;
      }
      lanes.add(lane);
    }
    String category = event.category().isEmpty() ? "" : event.category() + " ";
    return new Lane(tracks.beside(event.pid(), category + event.name()), pool);
  }
}
