package dev.kymo.model.timeline;

import dev.kymo.model.calls.Slice;
import dev.kymo.model.levels.SliceRow;
import dev.kymo.model.timeline.CallDetail.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds one call and those around it. */
final class CallFinder {
  private final RecordingTimeline timeline;
  private final int track;

  CallFinder(RecordingTimeline timeline, int track) {
    this.timeline = timeline;
    this.track = track;
  }

  Optional<CallDetail> find(int depth, long time) {
    SliceRow[] rows = timeline.around(track, time);
    int found = depth >= 0 && depth < rows.length ? covering(rows[depth], time, time) : -1;
    if (found < 0) {
      return Optional.empty();
    }
    long[] data = rows[depth].data;
    int at = found * SliceRow.SLICE;
    long begin = data[at];
    long end = data[at + SliceRow.END];
    List<Caller> callers = new ArrayList<>();
    for (int above = 0; above < depth; above++) {
      int caller = covering(rows[above], begin, end);
      if (caller >= 0) {
        callers.add(caller(rows[above].data, caller * SliceRow.SLICE));
      }
    }
    long word = data[at + SliceRow.METHOD];
    StateDetail detail = new StateDetail(depth, begin, end);
    if (timeline.tracks().get(track).kind().hasDetails()) {
      timeline.calls(track, end, end, detail);
    }
    return Optional.of(
        new CallDetail(
            track,
            (int) (word >>> 32),
            depth,
            begin,
            end,
            data[at + SliceRow.COUNT],
            data[at + SliceRow.TIME],
            (int) word & Slice.ALL,
            List.copyOf(callers),
            detail.object(),
            detail.other()));
  }

  private static Caller caller(long[] data, int at) {
    return new Caller((int) (data[at + SliceRow.METHOD] >>> 32), data[at], data[at + SliceRow.END]);
  }

  /** If one call ends and the next begins at this time, finds the next. */
  private static int covering(SliceRow row, long begin, long end) {
    int found = -1;
    for (int i = 0; i < row.size; i++) {
      boolean covers = row.begin(i) <= begin && row.end(i) >= end;
      if (covers && (found < 0 || row.begin(i) >= row.begin(found))) {
        found = i;
      }
    }
    return found;
  }
}
