package dev.kymo.server;

import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.index.Annex;
import dev.kymo.model.replay.Overview;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Gap;
import dev.kymo.model.timeline.SliceSink;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * A recording that is still being written: every tenth of a second a call of 60 ms more, a second
 * thread after a second, and an end after {@link #TICKS}. It begins when it is first asked for.
 */
final class GrowingTimeline implements Timeline {
  private final Annex annex = Annex.inMemory();
  static final int TICKS = 150;
  private static final long TICK = 100 * KnownRecordings.MS;
  private final boolean written;
  private long lastGrown;
  private int ticks;

  /**
   * Nothing yet.
   *
   * @param written it grows because it is written; otherwise because it is read for the first time
   */
  GrowingTimeline(boolean written) {
    this.written = written;
  }

  /** As fast as it passes, if whoever looks at it is as fast. */
  private synchronized void grow() {
    long now = System.nanoTime();
    if (ticks < TICKS && (ticks == 0 || now - lastGrown >= TICK)) {
      ticks++;
      lastGrown = now;
    }
  }

  private synchronized int ticks() {
    return Math.max(1, ticks);
  }

  @Override
  public double read() {
    return written ? 1 : (double) ticks() / TICKS;
  }

  private FakeTimeline now() {
    int ticks = ticks();
    FakeTimeline now = new FakeTimeline("growing.kymo", ticks * TICK);
    int process = now.process(7, "java Growing");
    int method = now.method("com.example.Growing", "step", "()V");
    FakeTimeline.Thread first = now.thread("first", process, false);
    for (int i = 0; i < ticks; i++) {
      first.call(0, method, i * TICK, i * TICK + 60 * KnownRecordings.MS);
    }
    if (ticks > 10) {
      now.thread("second", process, false).call(0, method, 10 * TICK, 11 * TICK);
    }
    return now;
  }

  @Override
  public boolean growing() {
    grow();
    return ticks() < TICKS;
  }

  @Override
  public String name() {
    return now().name();
  }

  @Override
  public long duration() {
    return now().duration();
  }

  @Override
  public long wallBegin() {
    return now().wallBegin();
  }

  @Override
  public List<TracedProcess> processes() {
    return now().processes();
  }

  @Override
  public List<Track> tracks() {
    return now().tracks();
  }

  @Override
  public int methods() {
    return now().methods();
  }

  @Override
  public TracedMethod method(int method) {
    return now().method(method);
  }

  @Override
  public void slices(
      int track, long from, long to, long resolution, IntPredicate depths, SliceSink sink) {
    now().slices(track, from, to, resolution, depths, sink);
  }

  @Override
  public Optional<CallDetail> call(int track, int depth, long time) {
    return now().call(track, depth, time);
  }

  @Override
  public void calls(int track, long from, long to, CallVisitor visitor) {
    now().calls(track, from, to, visitor);
  }

  @Override
  public Overview overview() {
    return now().overview();
  }

  @Override
  public List<Gap> gaps(int track, long from, long to) {
    return now().gaps(track, from, to);
  }

  @Override
  public Annex annex() {
    return annex;
  }

  @Override
  public List<String> oddities() {
    return List.of();
  }

  @Override
  public void close() {}
}
