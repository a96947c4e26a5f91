package dev.kymo.model.timeline;

import dev.kymo.format.Definition;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.arrows.ArrowsAndCounters;
import dev.kymo.model.arrows.CounterRange;
import dev.kymo.model.arrows.CounterValue;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.GapList;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.counts.CountLog;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.index.Annex;
import dev.kymo.model.index.IndexStore;
import dev.kymo.model.levels.SliceRow;
import dev.kymo.model.levels.ZoomLevels;
import dev.kymo.model.replay.EventReplay;
import dev.kymo.model.replay.Overview;
import dev.kymo.model.replay.RecordingIndex;
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
import java.util.function.Function;
import java.util.function.IntPredicate;

/** A timeline over the index of a recording. */
final class RecordingTimeline implements Timeline {
  private final CallPass pass;
  private final IndexStore store;
  private final ZoomLevels levels;
  private final RecordingIndex index;
  private final List<ThreadCalls> threads = new ArrayList<>();
  private final ArrowsAndCounters waits;
  private final Annex annex;
  private final KernelEvents kernel;
  private final RecordedPoints points;
  private List<Track> tracks = List.of();
  private TrackNumbers numbers;

  RecordingTimeline(
      CallPass pass,
      IndexStore store,
      ZoomLevels levels,
      RecordingIndex index,
      ArrowsAndCounters waits) {
    this.pass = pass;
    this.store = store;
    this.levels = levels;
    this.index = index;
    this.waits = waits;
    this.annex = store.annex(pass.recording());
    this.kernel = KernelEvents.of(pass);
    this.points = RecordedPoints.of(pass);
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

  CallPass pass() {
    return pass;
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

  private ThreadRows rows(int track) {
    return new ThreadRows(pass, levels, index, threads.get(track));
  }

  @Override
  public void slices(
      int track, long from, long to, long resolution, IntPredicate depths, SliceSink sink) {
    rows(track).slices(from, to, resolution, depths, sink);
  }

  @Override
  public void calls(int track, long from, long to, CallVisitor visitor) {
    new WindowCalls(pass, rows(track), tracks.get(track).kind(), numbers).read(from, to, visitor);
  }

  @Override
  public void events(int track, long from, long to, EventVisitor visitor) {
    if (threads.get(track).counts().own() > 0) {
      rows(track).replay(from, to, inWindow(from, to, visitor));
    }
  }

  private CallSink inWindow(long from, long to, EventVisitor visitor) {
    NanoClock times = pass.nanoClock();
    return new CallSink() {
      @Override
      public void call(CallCursor call) {}

      @Override
      public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
        long time = times.nanos(clock);
        if (time >= from && time <= to) {
          visitor.event(time, pass.definitions().event(event), batch, word);
        }
      }
    };
  }

  @Override
  public void events(Collection<Integer> some, long from, long to, EventVisitor visitor) {
    NanoClock clock = pass.nanoClock();
    List<ThreadCalls> wanted =
        some.stream().map(threads::get).filter(thread -> thread.counts().own() > 0).toList();
    EventReplay.run(
        pass, index, wanted, clock.ticks(from), clock.ticks(to), inWindow(from, to, visitor));
  }

  @Override
  public <T> T stacks(Function<SampledStacks, T> question) {
    return question.apply(pass.definitions().stacks());
  }

  @Override
  public Collection<TracedEvent> events() {
    return pass.definitions().events();
  }

  @Override
  public List<CounterRange> counters() {
    List<CounterRange> counters = new ArrayList<>(waits.counters().list(numbers::of));
    counters.sort(
        Comparator.comparingInt(CounterRange::track).thenComparingInt(CounterRange::event));
    return counters;
  }

  @Override
  public Optional<CounterValue> counterBefore(int track, int event, long time) {
    return waits.counters().before(threads.get(track).index(), event, time);
  }

  @Override
  public Arrows arrows(ArrowKind kind, long from, long to, int max) {
    return new ArrowFinder(waits, numbers).find(kind, from, to, max);
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
  public RecordedPoints points() {
    return points;
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
    return rows(track).around(time);
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
  public boolean isLossy(int track, long from, long to) {
    NanoClock clock = pass.nanoClock();
    return threads.get(track).isLossy(clock.ticks(from), clock.ticks(to));
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
