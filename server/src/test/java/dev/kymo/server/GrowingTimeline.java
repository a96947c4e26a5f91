package dev.kymo.server;

import dev.kymo.model.Annex;
import dev.kymo.model.CallDetail;
import dev.kymo.model.CallVisitor;
import dev.kymo.model.Gap;
import dev.kymo.model.Overview;
import dev.kymo.model.SliceSink;
import dev.kymo.model.Timeline;
import dev.kymo.model.TracedMethod;
import dev.kymo.model.TracedProcess;
import dev.kymo.model.Track;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * A recording that is still being written: every tenth of a second a call of 60 ms more, a second
 * thread after a second, and an end after {@link #TICKS}. It begins when it is first asked for.
 */
final class GrowingTimeline implements Timeline {
  private final Annex annex = Annex.inMemory();
  static final int TICKS = 150;
  private static final long TICK = 100 * KnownRecordings.MS;
  private final LongSupplier clock;
  private long begin = -1;

  GrowingTimeline(LongSupplier clock) {
    this.clock = clock;
  }

  private synchronized int ticks() {
    begin = begin < 0 ? clock.getAsLong() : begin;
    return (int) Math.min(TICKS, 1 + (clock.getAsLong() - begin) / TICK);
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
