package dev.kymo.model.timeline;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.levels.SliceRow;
import dev.kymo.model.levels.ZoomLevels;
import dev.kymo.model.replay.RecordingIndex;
import dev.kymo.model.replay.ThreadReplay;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The slices of one thread: from the zoom levels, or decoded again for a window that wants more
 * detail than they have. Times are nanoseconds.
 *
 * <p>A call that overlaps a window and takes at least the finest level's resolution is in the
 * levels. Any other call that overlaps it begins and ends close to the window: decoding as much
 * more as the resolution on both sides finds it whole.
 */
final class ThreadRows {
  private final CallPass pass;
  private final ZoomLevels levels;
  private final RecordingIndex index;
  private final ThreadCalls thread;

  ThreadRows(CallPass pass, ZoomLevels levels, RecordingIndex index, ThreadCalls thread) {
    this.pass = pass;
    this.levels = levels;
    this.index = index;
    this.thread = thread;
  }

  ThreadCalls thread() {
    return thread;
  }

  /** From which duration on every call is in the levels by itself. */
  long resolution() {
    return levels.resolution();
  }

  /** Time of the recording's last event. */
  long duration() {
    return pass.nanoClock().nanos(pass.end());
  }

  /** See {@link Timeline#slices}. */
  void slices(long from, long to, long wanted, IntPredicate depths, SliceSink sink) {
    long resolution = Math.max(0, wanted);
    int row = thread.index();
    boolean decode = resolution < levels.resolution();
    WindowRows decoded = new WindowRows(resolution, depths);
    if (decode) {
      decode(from, to, decoded);
    }
    for (int depth = 0; depth < Math.max(depths(), decoded.depths()); depth++) {
      if (!depths.test(depth)) {
        continue;
      }
      RowWriter writer = new RowWriter(sink, depth, resolution);
      if (decode) {
        writer.addBoth(kept(depth, from, to), decoded.row(depth));
      } else {
        if (depth < levels.depths(row)) {
          levels.read(row, depth, from, to, resolution, writer::add);
        }
        SliceRow running = new SliceRow();
        addRunning(depth, from, to, running);
        writer.addBoth(running, new SliceRow());
      }
      writer.write();
    }
  }

  /** How many depths there are slices at, those included that are running. */
  int depths() {
    return Math.max(levels.depths(thread.index()), thread.depth);
  }

  /** While a recording grows, calls are running: they end at the present. */
  void addRunning(int depth, long from, long to, SliceRow calls) {
    if (depth < thread.depth && from <= duration()) {
      NanoClock clock = pass.nanoClock();
      long begin = clock.nanos(thread.runningSince(depth));
      if (begin <= to) {
        calls.append(
            begin,
            duration(),
            thread.runningWord(depth),
            thread.runningChildren(depth),
            clock.duration(thread.runningChildTime(depth)));
      }
    }
  }

  /** The calls of a row that overlap a window and are there by themselves without decoding. */
  SliceRow kept(int depth, long from, long to) {
    int row = thread.index();
    SliceRow kept = new SliceRow();
    if (depth < levels.depths(row)) {
      long finest = levels.resolution();
      levels.read(
          row,
          depth,
          from,
          to,
          finest,
          (data, at) -> {
            if (SliceRow.isKept(data, at, finest)) {
              kept.append(data, at);
            }
          });
    }
    addRunning(depth, from, to, kept);
    return kept;
  }

  /** The last slice of a depth in the levels; null if there is none. */
  @Nullable SliceRow last(int depth) {
    return levels.last(thread.index(), depth);
  }

  /** Finds the calls of a window that are not in the levels by themselves. */
  private void decode(long from, long to, WindowRows rows) {
    long resolution = levels.resolution();
    CallSink inWindow =
        new CallsToSlices(pass) {
          @Override
          void put(CallCursor call, long begin, long end) {
            if (end - begin < resolution && end >= from && begin <= to) {
              rows.add(call.depth(), begin, end, word(call), call.children(), childTime(call));
            }
          }
        };
    replay(from - Math.min(resolution, from), Math.min(to, duration()) + resolution, inWindow);
  }

  /** All calls around a time, by depth; at most a few at each. */
  SliceRow[] around(long time) {
    WindowRows decoded = new WindowRows(0, depth -> true);
    decode(time, time, decoded);
    SliceRow[] all = new SliceRow[Math.max(depths(), decoded.depths())];
    for (int depth = 0; depth < all.length; depth++) {
      all[depth] = kept(depth, time, time);
      for (int i = 0; i < decoded.row(depth).size; i++) {
        all[depth].append(decoded.row(depth).data, i * SliceRow.SLICE);
      }
    }
    return all;
  }

  /** Reads the calls again that end between two times, and some around those. */
  void replay(long from, long to, CallSink sink) {
    NanoClock clock = pass.nanoClock();
    long begin = clock.ticks(from);
    long end = Math.min(clock.ticks(to), thread.last());
    if (begin <= end && end >= thread.first()) {
      ThreadReplay.run(pass.recording(), index, pass.definitions(), thread, begin, end, sink);
    }
  }
}
