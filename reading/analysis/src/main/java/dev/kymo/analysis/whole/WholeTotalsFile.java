package dev.kymo.analysis.whole;

import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.selection.PackedNumbers;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@link WholeTotals} as bytes. Tracks are identified by process and thread, because their numbers
 * may change when a recording is opened again.
 *
 * <pre>
 *   version · tracks: process, thread · costs · longest on other tracks · nodes of the tree · marks
 * </pre>
 */
final class WholeTotalsFile {
  /** To be raised with every change of the bytes' meaning, or of how sums are made. */
  private static final int VERSION = 2;

  private WholeTotalsFile() {}

  static byte[] write(Timeline timeline, WholeTotals totals) {
    PackedNumbers to = new PackedNumbers();
    to.put(VERSION).put(timeline.tracks().size());
    for (Track track : timeline.tracks()) {
      to.put(track.process()).put(track.thread());
    }
    List<MethodCost> costs = totals.costs();
    to.put(costs.size());
    for (MethodCost cost : costs) {
      to.put(cost.method());
      cost.totals().writeTo(to);
      write(cost.longest().orElseThrow(), to);
    }
    to.put(totals.otherLongest().size());
    totals.otherLongest().forEach((method, call) -> write(call, to.put(method)));
    totals.paths().writeTo(to);
    totals.marks().writeTo(to);
    return to.bytes();
  }

  private static void write(PlacedCall call, PackedNumbers to) {
    to.put(call.track()).put(call.depth()).put(call.begin()).put(call.duration());
  }

  /** Null if the bytes are of another version, or no such bytes at all. */
  static @Nullable WholeTotals read(Timeline timeline, byte[] bytes) {
    try {
      PackedNumbers from = new PackedNumbers(bytes);
      return from.next() == VERSION ? read(timeline, from) : null;
    } catch (RuntimeException e) {
      return null; // anybody may have written them; they can be made again
    }
  }

  private static WholeTotals read(Timeline timeline, PackedNumbers from) {
    int[] tracks = tracks(timeline, from);
    int methods = timeline.methods();
    WholeCollector collected = WholeTotals.collector(timeline);
    for (int left = from.count(); left > 0; left--) {
      MethodCost cost = collected.summary.cost(from.below(methods));
      cost.totals().readFrom(from);
      cost.takeLongest(call(tracks, from));
    }
    for (int left = from.count(); left > 0; left--) {
      collected.longest.put(from.below(methods), call(tracks, from));
    }
    collected.paths.readFrom(from, methods);
    collected.marks.readFrom(from);
    if (!from.atEnd()) {
      throw new IllegalStateException("more than there should be");
    }
    return new WholeTotals(
        WholeTotals.all(timeline).ofCalls(timeline), timeline.tracks().size(), collected);
  }

  /** By the number of a track then, its number now. */
  private static int[] tracks(Timeline timeline, PackedNumbers from) {
    Map<Long, Integer> known = new HashMap<>();
    for (Track track : timeline.tracks()) {
      known.put(key(track.process(), track.thread()), track.id());
    }
    int[] tracks = new int[from.count()];
    if (tracks.length != known.size()) {
      throw new IllegalStateException("tracks=" + tracks.length);
    }
    for (int i = 0; i < tracks.length; i++) {
      Integer track = known.get(key((int) from.next(), (int) from.next()));
      if (track == null) {
        throw new IllegalStateException("no such track");
      }
      tracks[i] = track;
    }
    return tracks;
  }

  private static long key(int process, int thread) {
    return ((long) process << Integer.SIZE) | (thread & 0xFFFF_FFFFL);
  }

  private static PlacedCall call(int[] tracks, PackedNumbers from) {
    int track = tracks[from.below(tracks.length)];
    return new PlacedCall(track, from.below(Integer.MAX_VALUE), from.next(), from.next());
  }
}
