package dev.kymo.model;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.reader.EventBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * A timeline over the zoom levels, which decodes the recording again for a window that wants more
 * detail than they have.
 *
 * <p>A call that overlaps a window and takes at least the finest level's resolution is in the
 * levels. Any other one that overlaps it begins and ends close to the window: decoding as much more
 * as the resolution on both sides finds it whole.
 */
final class RecordingTimeline implements Timeline {
  private final CallPass pass;
  private final IndexStore store;
  private final ZoomLevels levels;
  private final RecordingIndex index;
  private final List<ThreadCalls> threads = new ArrayList<>();
  private final AllWaits waits;
  private final Annex annex;
  private final KernelEvents kernel;
  private List<Track> tracks = List.of();
  private TrackNumbers numbers;

  RecordingTimeline(
      CallPass pass, IndexStore store, ZoomLevels levels, RecordingIndex index, AllWaits waits) {
    this.pass = pass;
    this.store = store;
    this.levels = levels;
    this.index = index;
    this.waits = waits;
    this.annex = store.annex(pass.recording());
    this.kernel = KernelEvents.of(pass);
    this.numbers = new TrackNumbers(List.of(), pass.definitions());
    List<ThreadCalls> all = new ArrayList<>(pass.threads());
    all.sort(Comparator.comparingInt(ThreadCalls::process).thenComparingInt(ThreadCalls::thread));
    grow(all);
  }

  /** Takes in the threads met by now; tracks keep their numbers. */
  void grow(List<ThreadCalls> all) {
    Set<ThreadCalls> known = new HashSet<>(threads);
    for (ThreadCalls thread : all) {
      if (!known.contains(thread) && !isEmpty(thread)) {
        threads.add(thread);
      }
    }
    List<Track> made = new ArrayList<>(threads.size());
    numbers = new TrackNumbers(threads, pass.definitions());
    for (ThreadCalls thread : threads) {
      made.add(ThreadTrack.of(pass, made.size(), thread, numbers.owners().of(made.size())));
    }
    tracks = Collections.unmodifiableList(made);
  }

  private boolean isEmpty(ThreadCalls thread) {
    return thread.counts().events() == 0
        && thread.gaps().count() == 0
        && pass.countLog().calls(CountLog.Owner.of(thread)) == 0;
  }

  @Override
  public String notKept() {
    return store.elsewhere();
  }

  @Override
  public String name() {
    return pass.recording().name();
  }

  @Override
  public Optional<Path> directory() {
    return Optional.of(pass.recording().path());
  }

  @Override
  public long duration() {
    return pass.nanoClock().nanos(pass.end());
  }

  @Override
  public long wallBegin() {
    return pass.clock().wallOffset() + pass.clock().nanos(pass.base());
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
  public RecordedStates recordedStates() {
    return RecordedStates.of(pass.definitions());
  }

  @Override
  public TracedMethod method(int method) {
    return pass.definitions().methods().get(method);
  }

  @Override
  public void slices(
      int track, long from, long to, long wanted, IntPredicate depths, SliceSink sink) {
    long resolution = Math.max(0, wanted);
    ThreadCalls thread = threads.get(track);
    int row = thread.index();
    boolean decode = resolution < levels.resolution();
    WindowRows decoded = new WindowRows(resolution, depths);
    if (decode) {
      decode(track, from, to, decoded);
    }
    for (int depth = 0; depth < Math.max(depths(thread), decoded.depths()); depth++) {
      if (!depths.test(depth)) {
        continue;
      }
      RowWriter writer = new RowWriter(sink, depth, resolution);
      if (decode) {
        writer.addBoth(kept(thread, depth, from, to), decoded.row(depth));
      } else {
        if (depth < levels.depths(row)) {
          levels.read(row, depth, from, to, resolution, writer::add);
        }
        SliceRow running = new SliceRow();
        addRunning(thread, depth, from, to, running);
        writer.addBoth(running, new SliceRow());
      }
      writer.write();
    }
  }

  /** How many depths a thread has slices at, those included that are running. */
  private int depths(ThreadCalls thread) {
    return Math.max(levels.depths(thread.index()), thread.depth);
  }

  /** While a recording grows, calls are running: they end at the present. */
  private void addRunning(ThreadCalls thread, int depth, long from, long to, SliceRow calls) {
    if (depth < thread.depth && from <= duration()) {
      NanoClock clock = pass.nanoClock();
      long[] slice = thread.running(depth);
      slice[0] = clock.nanos(slice[0]);
      slice[SliceRow.END] = duration();
      slice[SliceRow.TIME] = clock.duration(slice[SliceRow.TIME]);
      if (slice[0] <= to) {
        calls.append(slice, 0);
      }
    }
  }

  /** The calls of a row that overlap a window and are there by themselves without decoding. */
  private SliceRow kept(ThreadCalls thread, int depth, long from, long to) {
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
    addRunning(thread, depth, from, to, kept);
    return kept;
  }

  /** Finds the calls of a window that are not in the levels by themselves. */
  private void decode(int track, long from, long to, WindowRows rows) {
    long resolution = levels.resolution();
    CallSink inWindow =
        new CallsToSlices(pass) {
          @Override
          void put(int t, int depth, long begin, long end, long word, long n, long childTime) {
            if (end - begin < resolution && end >= from && begin <= to) {
              rows.add(depth, begin, end, word, n, childTime);
            }
          }
        };
    replay(
        track, from - Math.min(resolution, from), Math.min(to, duration()) + resolution, inWindow);
  }

  @Override
  public void calls(int track, long from, long to, CallVisitor visitor) {
    long resolution = levels.resolution();
    long last = Math.min(to, duration()) + resolution;
    ThreadCalls thread = threads.get(track);
    CallSink inWindow =
        new CallsToSlices(pass) {
          private boolean detailed;
          private int object;
          private int other;

          @Override
          void put(int t, int depth, long begin, long end, long word, long n, long childTime) {
            if (end >= from && begin <= to && end <= last) {
              if (detailed) {
                visitor.detail(object, numbers.ofStates(thread.process(), other));
              }
              visitor.call(depth, (int) (word >>> 32), begin, end, (int) word);
            }
            detailed = false;
          }

          @Override
          public void detail(ThreadCalls states, long clock, int objectOfDetail, int otherThread) {
            detailed = true;
            object = objectOfDetail;
            other = otherThread;
          }
        };
    replay(track, from - Math.min(resolution, from), last, inWindow);
    for (int depth = depths(thread) - 1; depth >= 0; depth--) {
      SliceRow later = kept(thread, depth, last + 1, to);
      addOpen(thread, depth, from, to, last, later);
      for (int i = 0; i < later.size; i++) {
        long word = later.data[i * SliceRow.SLICE + SliceRow.METHOD];
        laterDetail(thread, track, depth, later, i, visitor);
        visitor.call(depth, (int) (word >>> 32), later.begin(i), later.end(i), (int) word);
      }
    }
  }

  /** What is told of a state that ends behind what was decoded. */
  private void laterDetail(
      ThreadCalls thread, int track, int depth, SliceRow later, int i, CallVisitor visitor) {
    long detail = thread.openDetail();
    boolean open = (later.data[i * SliceRow.SLICE + SliceRow.METHOD] & Slice.OPEN_END) != 0;
    if (open && detail != 0) {
      int other = ThreadRecord.detailOther(detail);
      visitor.detail(ThreadRecord.detailObject(detail), numbers.ofStates(thread.process(), other));
    } else if (!open && tracks.get(track).kind().hasDetails()) {
      DetailAtEnd found = new DetailAtEnd(pass, depth, later.end(i));
      replay(track, later.end(i), later.end(i) + levels.resolution(), found);
      visitor.detail(found.object(), numbers.ofStates(thread.process(), found.other()));
    }
  }

  /** An open call ends where no event is, so that no decoding finds it; it is its row's last. */
  private void addOpen(
      ThreadCalls thread, int depth, long from, long to, long last, SliceRow calls) {
    SliceRow tail = levels.last(thread.index(), depth);
    if (tail != null) {
      int i = tail.size - 1;
      boolean inside = tail.end(i) >= from && tail.end(i) <= last && tail.begin(i) <= to;
      if (tail.open(i) && inside) {
        calls.append(tail.data, i * SliceRow.SLICE);
      }
    }
    if (duration() >= from && duration() <= last) {
      addRunning(thread, depth, from, to, calls);
    }
  }

  private void replay(int track, long from, long to, CallSink sink) {
    NanoClock clock = pass.nanoClock();
    ThreadCalls thread = threads.get(track);
    long begin = clock.ticks(from);
    long end = Math.min(clock.ticks(to), thread.last());
    if (begin <= end && end >= thread.first()) {
      ThreadReplay.run(pass.recording(), index, pass.definitions(), thread, begin, end, sink);
    }
  }

  @Override
  public void events(int track, long from, long to, EventVisitor visitor) {
    NanoClock times = pass.nanoClock();
    CallSink inWindow =
        new CallsToSlices(pass) {
          @Override
          void put(int t, int depth, long begin, long end, long word, long n, long childTime) {}

          @Override
          public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
            long time = times.nanos(clock);
            TracedEvent known = pass.definitions().event(event);
            if (time >= from && time <= to) {
              visitor.event(time, known, batch, word);
            }
          }
        };
    if (threads.get(track).counts().own() > 0) {
      replay(track, from, to, inWindow);
    }
  }

  @Override
  public Collection<TracedEvent> events() {
    return pass.definitions().events();
  }

  @Override
  public List<Counter> counters() {
    List<Counter> counters = new ArrayList<>(waits.counters().list(numbers::of));
    counters.sort(Comparator.comparingInt(Counter::track).thenComparingInt(Counter::event));
    return counters;
  }

  @Override
  public Optional<CounterValue> counterBefore(int track, int event, long time) {
    return waits.counters().before(threads.get(track).index(), event, time);
  }

  private Arrows messages(long from, long to, int max) {
    TrackNumbers now = numbers;
    List<Arrows.Arrow> arrows = new ArrayList<>();
    boolean more =
        waits
            .messages()
            .read(
                from,
                to,
                max,
                new Messages.Taker() {
                  @Override
                  public boolean has(int sender, int receiver) {
                    return now.of(sender) >= 0 && now.of(receiver) >= 0;
                  }

                  @Override
                  public void take(long sent, long received, int sender, int receiver, int event) {
                    arrows.add(
                        new Arrows.Arrow(
                            received, received - sent, now.of(sender), now.of(receiver), event));
                  }
                });
    return new Arrows(List.copyOf(arrows), more);
  }

  @Override
  public Arrows arrows(ArrowKind kind, long from, long to, int max) {
    if (kind == ArrowKind.MESSAGE) {
      return messages(from, to, max);
    }
    TrackNumbers now = numbers;
    List<Arrows.Arrow> arrows = new ArrayList<>();
    boolean more =
        waits
            .of(kind)
            .read(
                from,
                to,
                max,
                new Waits.Taker() {
                  @Override
                  public boolean has(int thread, int other) {
                    return now.of(thread) >= 0 && now.other(thread, other) >= 0;
                  }

                  @Override
                  public void take(long end, long length, int thread, int other, int method) {
                    arrows.add(
                        new Arrows.Arrow(
                            end,
                            AllWaits.waited(kind, length),
                            now.other(thread, other),
                            now.of(thread),
                            method));
                  }
                });
    return new Arrows(List.copyOf(arrows), more);
  }

  @Override
  public Counts counts() {
    return pass.counts(threads::get);
  }

  @Override
  public List<ModeStep> steps() {
    return pass.steps();
  }

  @Override
  public Optional<Definition.ProbeCost> probeCost(int process) {
    return pass.probeCost(process);
  }

  @Override
  public List<Definition.OwnCost> ownCosts() {
    return pass.ownCosts();
  }

  @Override
  public KernelEvents kernelEvents() {
    return kernel;
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
    WindowRows decoded = new WindowRows(0, depth -> true);
    decode(track, time, time, decoded);
    ThreadCalls thread = threads.get(track);
    SliceRow[] all = new SliceRow[Math.max(depths(thread), decoded.depths())];
    for (int depth = 0; depth < all.length; depth++) {
      all[depth] = kept(thread, depth, time, time);
      for (int i = 0; i < decoded.row(depth).size; i++) {
        all[depth].append(decoded.row(depth).data, i * SliceRow.SLICE);
      }
    }
    return all;
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
  public Annex annex() {
    return annex;
  }

  @Override
  public void close() {
    store.close();
    pass.recording().close();
  }
}
