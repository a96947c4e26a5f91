package dev.kymo.model;

import dev.kymo.format.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * A timeline over the slices kept in memory, which decodes the recording again for a window that
 * wants more detail than they have.
 *
 * <p>A call that overlaps a window and takes at least the store's resolution is in memory. Any
 * other one that overlaps it begins and ends close to the window: decoding as much more as the
 * resolution on both sides finds it whole.
 */
final class RecordingTimeline implements Timeline {
  private final CallPass pass;
  private final long resolution;
  private final RecordingIndex index;
  private final List<ThreadCalls> threads;
  private final List<Track> tracks = new ArrayList<>();

  /** By track, depth and level. */
  private final List<SliceRow[][]> rows = new ArrayList<>();

  RecordingTimeline(CallPass pass, SliceStore store, RecordingIndex index) {
    this.pass = pass;
    this.resolution = store.resolution();
    this.index = index;
    this.threads = new ArrayList<>(pass.threads());
    threads.removeIf(t -> t.counts().events() == 0 && t.gaps().count() == 0);
    threads.sort(
        Comparator.comparingInt(ThreadCalls::process).thenComparingInt(ThreadCalls::thread));
    NanoClock clock = pass.nanoClock();
    for (ThreadCalls thread : threads) {
      tracks.add(track(tracks.size(), thread, clock));
      SliceRow[] finest = store.rows(thread.index());
      SliceRow[][] levels = new SliceRow[finest.length][];
      for (int depth = 0; depth < finest.length; depth++) {
        levels[depth] = SliceStore.levels(finest[depth], duration());
      }
      rows.add(levels);
    }
  }

  /** From which duration on calls are in memory by themselves. */
  long resolution() {
    return resolution;
  }

  private static Track track(int id, ThreadCalls thread, NanoClock clock) {
    boolean events = thread.first() >= 0;
    long begin = events ? thread.first() : thread.gaps().from(0);
    return new Track(
        id,
        thread.process(),
        thread.thread(),
        thread.definition().name(),
        thread.definition().kind() == dev.kymo.format.Definition.TracedThread.VIRTUAL,
        thread.definition().tid(),
        thread.definition().javaId(),
        clock.nanos(begin),
        clock.nanos(events ? thread.last() : begin),
        thread.counts().calls(),
        thread.counts().events(),
        thread.gaps().lost(),
        thread.counts().depth());
  }

  @Override
  public String name() {
    return pass.recording().name();
  }

  @Override
  public long duration() {
    return pass.nanoClock().nanos(pass.end());
  }

  @Override
  public long wallBegin() {
    Clock clock = pass.recording().metadata().clock();
    return clock.wallOffset() + clock.nanos(pass.base());
  }

  @Override
  public List<TracedProcess> processes() {
    return pass.definitions().processes();
  }

  @Override
  public List<Track> tracks() {
    return tracks;
  }

  @Override
  public int methods() {
    return pass.definitions().methods().size();
  }

  @Override
  public TracedMethod method(int method) {
    return pass.definitions().methods().get(method);
  }

  @Override
  public void slices(int track, long from, long to, long wanted, SliceSink sink) {
    SliceRow[][] kept = rows.get(track);
    boolean decode = wanted < resolution;
    SliceRow[] decoded = decode ? decode(track, from, to, Math.max(0, wanted)) : new SliceRow[0];
    for (int depth = 0; depth < Math.max(kept.length, decoded.length); depth++) {
      RowWriter writer = new RowWriter(sink, depth, Math.max(0, wanted));
      if (decode) {
        SliceRow finest = depth < kept.length ? kept[depth][0] : new SliceRow();
        SliceRow more = depth < decoded.length ? decoded[depth] : new SliceRow();
        writeBoth(finest, more, true, new long[] {from, to}, writer);
      } else {
        SliceRow level = SliceStore.level(kept[depth], wanted);
        SliceRow row = level == null ? kept[depth][0] : level;
        writeBoth(row, new SliceRow(), false, new long[] {from, to}, writer);
      }
      writer.write();
    }
  }

  /**
   * Writes the slices of two rows that overlap the window, in the order of their times.
   *
   * @param replaced whether the runs among the kept ones are in the other row call by call
   */
  private static void writeBoth(
      SliceRow kept, SliceRow more, boolean replaced, long[] window, RowWriter writer) {
    int i = kept.firstEndingAt(window[0]);
    int j = 0;
    while (true) {
      boolean haveKept = i < kept.size && kept.begin(i) <= window[1];
      boolean haveMore = j < more.size;
      if (haveKept && replaced && !kept.kept(i)) {
        i++;
      } else if (haveKept && (!haveMore || before(kept, i, more, j))) {
        writer.add(kept.data, i++ * SliceRow.SLICE);
      } else if (haveMore) {
        writer.add(more.data, j++ * SliceRow.SLICE);
      } else {
        return;
      }
    }
  }

  private static boolean before(SliceRow a, int i, SliceRow b, int j) {
    return a.begin(i) != b.begin(j) ? a.begin(i) < b.begin(j) : a.end(i) <= b.end(j);
  }

  /** The calls of a window that are not in memory by themselves. */
  private SliceRow[] decode(int track, long from, long to, long wanted) {
    SliceStore store = new SliceStore(1_000_000, wanted);
    CallSink inWindow =
        new CallsToSlices(store, pass) {
          @Override
          void put(int t, int depth, long begin, long end, long word, long n, long childTime) {
            if (end - begin < resolution && end >= from && begin <= to) {
              super.put(0, depth, begin, end, word, n, childTime);
            }
          }
        };
    replay(
        track, from - Math.min(resolution, from), Math.min(to, duration()) + resolution, inWindow);
    return store.rows(0);
  }

  @Override
  public void calls(int track, long from, long to, CallVisitor visitor) {
    NanoClock begins = pass.nanoClock();
    NanoClock ends = pass.nanoClock();
    long last = Math.min(to, duration()) + resolution;
    CallSink inWindow =
        (thread, depth, method, begin, end, childTime, children, flags) -> {
          if (Thread.interrupted()) {
            throw new CancellationException("nobody wants it any more");
          }
          long b = begins.nanos(begin);
          long e = ends.nanos(end);
          if (e >= from && b <= to && e <= last) {
            visitor.call(depth, method, b, e, flags);
          }
        };
    replay(track, from - Math.min(resolution, from), last, inWindow);
    SliceRow[][] kept = rows.get(track);
    for (int depth = kept.length - 1; depth >= 0; depth--) {
      SliceRow finest = kept[depth][0];
      // Open calls end where no event is, so no decoding finds them; only the last can be open.
      int open = finest.size > 0 && finest.open(finest.size - 1) ? finest.size - 1 : finest.size;
      int first = Math.min(finest.firstEndingAt(last + 1), open);
      for (int i = first; i < finest.size && finest.begin(i) <= to; i++) {
        if (finest.kept(i) && finest.end(i) >= from) {
          long word = finest.data[i * SliceRow.SLICE + SliceRow.METHOD];
          visitor.call(depth, (int) (word >>> 32), finest.begin(i), finest.end(i), (int) word);
        }
      }
    }
  }

  private void replay(int track, long from, long to, CallSink sink) {
    NanoClock clock = pass.nanoClock();
    ThreadReplay.run(
        pass.recording(),
        index,
        pass.definitions(),
        threads.get(track),
        clock.ticks(from),
        clock.ticks(to),
        sink);
  }

  @Override
  public Overview overview() {
    return index.overview();
  }

  @Override
  public Optional<CallDetail> call(int track, int depth, long time) {
    return new CallFinder(this, track).find(depth, time);
  }

  /** All calls around a time, by depth; at most a few at each. */
  SliceRow[] around(int track, long time) {
    SliceRow[][] kept = rows.get(track);
    SliceRow[] decoded = resolution > 0 ? decode(track, time, time, 0) : new SliceRow[0];
    SliceRow[] all = new SliceRow[Math.max(kept.length, decoded.length)];
    for (int depth = 0; depth < all.length; depth++) {
      SliceRow row = new SliceRow();
      if (depth < kept.length) {
        SliceRow finest = kept[depth][0];
        for (int i = finest.firstEndingAt(time); i < finest.size && finest.begin(i) <= time; i++) {
          if (finest.kept(i)) {
            addTo(row, finest, i);
          }
        }
      }
      for (int i = 0; depth < decoded.length && i < decoded[depth].size; i++) {
        addTo(row, decoded[depth], i);
      }
      all[depth] = row;
    }
    return all;
  }

  private static void addTo(SliceRow row, SliceRow from, int slice) {
    int at = slice * SliceRow.SLICE;
    long[] data = from.data;
    row.add(
        data[at],
        data[at + SliceRow.END],
        data[at + SliceRow.METHOD],
        data[at + SliceRow.COUNT],
        data[at + SliceRow.TIME]);
  }

  @Override
  public List<Gap> gaps(int track, long from, long to) {
    NanoClock clock = pass.nanoClock();
    GapList all = threads.get(track).gaps();
    List<Gap> gaps = new ArrayList<>();
    for (int i = 0; i < all.count(); i++) {
      Gap gap = new Gap(clock.nanos(all.from(i)), clock.nanos(all.to(i)), Math.max(0, all.lost(i)));
      if (gap.from() <= to && gap.to() >= from) {
        gaps.add(gap);
      }
    }
    return gaps;
  }

  @Override
  public List<String> oddities() {
    return pass.oddities();
  }

  @Override
  public void close() {
    pass.recording().close();
  }
}
