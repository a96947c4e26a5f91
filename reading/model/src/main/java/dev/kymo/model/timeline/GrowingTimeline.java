package dev.kymo.model.timeline;

import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.arrows.CounterRange;
import dev.kymo.model.arrows.CounterValue;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.index.Annex;
import dev.kymo.model.replay.Overview;
import dev.kymo.model.replay.OverviewBuilder;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A recording that is still being written, up to the present, or one that has no index yet, as far
 * as it was read: a thread of its own takes in what is new, while questions wait for a moment. When
 * everything was read, the timeline is complete and the index is made.
 */
final class GrowingTimeline implements Timeline {
  private static final long POLL_MILLIS = 25;
  private static final long MOMENT_MILLIS = 300;

  /** Read, but the index is not complete. */
  private static final double ALMOST = 0.999;

  private final Recording recording;
  private final Growth growth;

  /** Fair: a question during a long read gets its turn after a moment. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock(true);

  private final boolean written;
  private final @Nullable Writing writing;
  private final @Nullable Feed feed;
  private final Thread follower;

  /** An interrupt would not do: it closes the files that are being read. */
  private final CountDownLatch closed = new CountDownLatch(1);

  private volatile boolean growing = true;
  private volatile double read;
  private volatile @Nullable String trouble;

  /**
   * Of one that is being written, reads what is there, then goes on beside the caller; one that is
   * complete is read beside the caller.
   */
  GrowingTimeline(Recording recording, ProgressListener progress) throws IOException {
    this(recording, progress, recording.isGrowing(), null, null);
  }

  /** One that is being written, or has just been written, by an import. */
  GrowingTimeline(Recording recording, Writing writing) throws IOException {
    this(recording, ProgressListener.NONE, true, writing, null);
  }

  /** One that is written by the thread that reads it. */
  GrowingTimeline(Recording recording, Feed feed) throws IOException {
    this(recording, ProgressListener.NONE, true, null, feed);
  }

  private GrowingTimeline(
      Recording recording,
      ProgressListener progress,
      boolean written,
      @Nullable Writing writing,
      @Nullable Feed feed)
      throws IOException {
    this.feed = feed;
    this.recording = recording;
    this.written = written;
    this.writing = writing;
    ProgressListener meter =
        (done, total) -> {
          read = Math.min(ALMOST, (double) done / Math.max(1, total));
          progress.progress(done, total);
        };
    this.growth = new Growth(recording, written ? ProgressListener.NONE : meter, this::breathe);
    growing = !written || poll();
    follower = Thread.ofPlatform().name("follower").daemon().unstarted(this::follow);
    if (growing) {
      follower.start();
    }
    if (!written) {
      waitAMoment();
    }
  }

  /** Most recordings are read by then, and are never seen growing. */
  private void waitAMoment() {
    try {
      follower.join(MOMENT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow() {
    try {
      while (growing && !closed.await(written ? POLL_MILLIS : 0, TimeUnit.MILLISECONDS)) {
        growing = poll();
      }
    } catch (InterruptedException | CancellationException e) {
      // closed
    } catch (IOException | RuntimeException e) {
      trouble =
          (written ? "the recording is not followed any more: " : "the rest was not read: ")
              + e.getMessage();
      growing = false;
    }
  }

  /** Lets waiting questions be answered. */
  private void breathe() {
    lock.writeLock().unlock();
    lock.writeLock().lock();
    if (closed.getCount() == 0) {
      throw new CancellationException("closed");
    }
  }

  @Override
  public double read() {
    Writing by = writing;
    if (by != null && importing()) {
      return Math.min(ALMOST, by.share());
    }
    return written || !growing ? 1 : read;
  }

  @Override
  public boolean importing() {
    return writing != null && (growing || writing.share() < 1);
  }

  @Override
  public String notKept() {
    return written ? "" : growth.notKept();
  }

  private boolean poll() throws IOException {
    if (feed != null) {
      feed.feed();
    }
    lock.writeLock().lock();
    try {
      RecordingState state = growth.poll();
      if (state == RecordingState.ABANDONED) {
        trouble =
            "the recorder was killed: the end of the recording is missing until it is opened again";
      }
      return state == RecordingState.GROWING;
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public boolean growing() {
    return growing || importing();
  }

  /** Asks the timeline as it is now, or answers otherwise if there is nothing yet. */
  private <T> T ask(Function<RecordingTimeline, T> question, T otherwise) {
    lock.readLock().lock();
    try {
      return growth.timeline().map(question).orElse(otherwise);
    } finally {
      lock.readLock().unlock();
    }
  }

  private void tell(Consumer<RecordingTimeline> question) {
    lock.readLock().lock();
    try {
      growth.timeline().ifPresent(question);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public String name() {
    return recording.name();
  }

  @Override
  public Optional<Path> directory() {
    return Optional.of(recording.path());
  }

  @Override
  public long duration() {
    return ask(Timeline::duration, 0L);
  }

  @Override
  public long wallBegin() {
    return ask(Timeline::wallBegin, recording.metadata().clock().wallOffset());
  }

  @Override
  public List<TracedProcess> processes() {
    return ask(Timeline::processes, List.of());
  }

  @Override
  public List<Track> tracks() {
    return ask(Timeline::tracks, List.of());
  }

  @Override
  public int methods() {
    return ask(Timeline::methods, 0);
  }

  @Override
  public RecordedStates recordedStates() {
    lock.readLock().lock();
    try {
      return RecordedStates.of(growth.definitions());
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public TracedMethod method(int method) {
    lock.readLock().lock();
    try {
      return growth.definitions().methods().get(method);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void slices(
      int track, long from, long to, long resolution, IntPredicate depths, SliceSink sink) {
    tell(timeline -> timeline.slices(track, from, to, resolution, depths, sink));
  }

  @Override
  public void calls(int track, long from, long to, CallVisitor visitor) {
    tell(timeline -> timeline.calls(track, from, to, visitor));
  }

  @Override
  public Counts counts() {
    return new Counts() {
      @Override
      public void between(int track, long from, long to, Consumer<CountedCalls> visitor) {
        tell(timeline -> timeline.counts().between(track, from, to, visitor));
      }

      @Override
      public List<Period> periods(int track, long from, long to) {
        return ask(timeline -> timeline.counts().periods(track, from, to), List.of());
      }

      @Override
      public long calls(int track) {
        return ask(timeline -> timeline.counts().calls(track), 0L);
      }

      @Override
      public long bucketBegin(int bucket) {
        return recording.metadata().clock().nanos(CountersLayout.lowerBound(bucket));
      }
    };
  }

  @Override
  public void events(int track, long from, long to, EventVisitor visitor) {
    tell(timeline -> timeline.events(track, from, to, visitor));
  }

  @Override
  public void events(Collection<Integer> some, long from, long to, EventVisitor visitor) {
    tell(timeline -> timeline.events(some, from, to, visitor));
  }

  @Override
  public <T> T stacks(Function<SampledStacks, T> question) {
    lock.readLock().lock();
    try {
      return question.apply(growth.definitions().stacks());
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public Collection<TracedEvent> events() {
    return ask(timeline -> List.copyOf(timeline.events()), List.of());
  }

  @Override
  public List<CounterRange> counters() {
    return ask(Timeline::counters, List.of());
  }

  @Override
  public Optional<CounterValue> counterBefore(int track, int event, long time) {
    return ask(timeline -> timeline.counterBefore(track, event, time), Optional.empty());
  }

  @Override
  public Arrows arrows(ArrowKind kind, long from, long to, int max) {
    return ask(timeline -> timeline.arrows(kind, from, to, max), new Arrows(List.of(), false));
  }

  @Override
  public KernelEvents kernelEvents() {
    return growing() ? KernelEvents.NONE : ask(Timeline::kernelEvents, KernelEvents.NONE);
  }

  @Override
  public RecordedPoints points() {
    return growing() ? RecordedPoints.NONE : ask(Timeline::points, RecordedPoints.NONE);
  }

  @Override
  public List<ModeStep> steps() {
    return ask(Timeline::steps, List.of());
  }

  @Override
  public Optional<Definition.ProbeCost> probeCost(int process) {
    return ask(timeline -> timeline.probeCost(process), Optional.empty());
  }

  @Override
  public List<Definition.OwnCost> ownCosts() {
    return ask(Timeline::ownCosts, List.of());
  }

  @Override
  public Overview overview() {
    return ask(Timeline::overview, new OverviewBuilder().build());
  }

  @Override
  public Optional<CallDetail> call(int track, int depth, long time) {
    return ask(timeline -> timeline.call(track, depth, time), Optional.empty());
  }

  @Override
  public List<Gap> gaps(int track, long from, long to) {
    return ask(timeline -> timeline.gaps(track, from, to), List.of());
  }

  @Override
  public boolean isLossy(int track, long from, long to) {
    return ask(timeline -> timeline.isLossy(track, from, to), false);
  }

  @Override
  public Annex annex() {
    return ask(Timeline::annex, Annex.inMemory());
  }

  @Override
  public List<String> oddities() {
    lock.readLock().lock();
    try {
      List<String> all = new ArrayList<>(recording.diagnostics().texts());
      all.addAll(growth.diagnostics().texts());
      String said = trouble;
      if (said != null) {
        all.add(said);
      }
      if (writing != null && !writing.trouble().isEmpty()) {
        all.add(writing.trouble());
      }
      return all;
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      follower.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    growth.close();
  }
}
