package dev.kymo.model.timeline;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.model.arrows.ArrowsAndCounters;
import dev.kymo.model.calls.CallBuilder;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.MeteredSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.counts.CountLog;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.index.IndexStore;
import dev.kymo.model.levels.ZoomLevels;
import dev.kymo.model.replay.RecordingIndex;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.FollowSink;
import dev.kymo.reader.Follower;
import dev.kymo.reader.Oddity;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the index of a recording while the recording is written; used by one thread. Time 0 is the
 * first event, so there is nothing to show before it.
 */
final class Growth implements FollowSink {
  private static final long STATE_EVERY = 16_384;
  private static final long SETTLE_NANOS = 50_000_000;

  private final Recording recording;
  private final IndexStore store;
  private final RecordedDefinitions definitions = RecordedDefinitions.none();
  private final Diagnostics diagnostics = new Diagnostics();
  private final CountLog counts;
  private final Follower follower;
  private final ProgressListener progress;
  private final Runnable breath;
  private long settled = System.nanoTime();
  private @Nullable Begun begun;
  private boolean moved;

  /** What there is once an event has been read. */
  private record Begun(
      CallPass pass,
      CallBuilder builder,
      ZoomLevels levels,
      RecordingIndex index,
      MeteredSink metered,
      ArrowsAndCounters waits,
      RecordingTimeline timeline) {}

  /**
   * Nothing read yet.
   *
   * @param breath called now and then during long reads: what was read so far can then be shown
   */
  Growth(Recording recording, ProgressListener progress, Runnable breath) throws IOException {
    this.progress = progress;
    this.breath = breath;
    this.recording = recording;
    this.store = IndexStore.create(recording);
    this.counts = new CountLog(definitions.methods(), recording.metadata().clock());
    this.follower = new Follower(recording, diagnostics);
  }

  /** Reads what is new; at the end completes the index. */
  RecordingState poll() throws IOException {
    RecordingState state = follower.poll(this);
    if (begun == null && state != RecordingState.GROWING && !counts.owners().isEmpty()) {
      long first = definitions.firstClock();
      begun(first == Long.MAX_VALUE ? 0 : first); // everything was counted
    }
    Begun now = begun;
    if (now != null) {
      now.pass().addCounted(now.builder());
      if (state != RecordingState.GROWING) {
        now.builder().finish();
      }
      settle(now);
      if (state == RecordingState.COMPLETE && isAsRead()) {
        Indexes.finish(store, now.pass(), now.index(), now.levels(), now.waits(), STATE_EVERY);
      }
    }
    if (state != RecordingState.GROWING) {
      store.giveUp(); // unless it is finished
    }
    return state;
  }

  /** Puts into the timeline what was read so far. */
  private void settle(Begun now) {
    now.pass().grow(now.builder());
    now.timeline().grow(now.pass().threads());
    settled = System.nanoTime();
  }

  /** Why the index is not kept in the recording; empty if it is. */
  String notKept() {
    return store.elsewhere();
  }

  /**
   * Whether all events stand where they would if the recording were read now. What becomes known
   * late, such as states, is moved to where the timeline was by then; such an index is not kept.
   */
  private boolean isAsRead() {
    return !moved && diagnostics.count(Oddity.TWO_PLACES) == 0;
  }

  /** The timeline up to the present, if there is anything to show. */
  Optional<RecordingTimeline> timeline() {
    return Optional.ofNullable(begun).map(Begun::timeline);
  }

  @Override
  public void definition(int process, long clock, Definition definition) {
    definitions.add(process, clock, definition);
  }

  @Override
  public void count(int process, long clock, CountRecord count) {
    counts.add(process, clock, count);
  }

  @Override
  public void events(EventBatch batch) {
    Begun now = begun(batch.clocks()[0]);
    raise(batch, now.pass().base());
    now.metered().events(batch);
    if (System.nanoTime() - settled > SETTLE_NANOS) {
      settle(now);
      breath.run();
    }
  }

  /** States become known late, perhaps after what was taken for the first event. */
  private void raise(EventBatch batch, long base) {
    long[] clocks = batch.clocks();
    for (int i = 0; i < batch.count() && clocks[i] < base; i++) {
      clocks[i] = base;
      moved = true;
    }
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    Begun now = begun(from);
    long base = now.pass().base();
    now.index().gap(process, thread, Math.max(base, from), Math.max(base, to), lost);
  }

  private Begun begun(long clock) {
    Begun now = begun;
    if (now == null) {
      now = begin(clock);
      begun = now;
    }
    return now;
  }

  private Begun begin(long clock) {
    try {
      CallPass pass = CallPass.growing(recording, diagnostics, definitions, counts, clock);
      ZoomLevels levels = new ZoomLevels(store::newLevel);
      ArrowsAndCounters waits = new ArrowsAndCounters();
      CallBuilder builder = pass.builder(new ToLevels(levels, waits, pass));
      RecordingIndex index =
          new RecordingIndex(builder, store.newStates(), pass.nanoClock(), STATE_EVERY);
      RecordingTimeline timeline = new RecordingTimeline(pass, store, levels, index, waits);
      MeteredSink metered = new MeteredSink(index, recording.size(), progress);
      return new Begun(pass, builder, levels, index, metered, waits, timeline);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RecordedDefinitions definitions() {
    return definitions;
  }

  Diagnostics diagnostics() {
    return diagnostics;
  }

  void close() {
    store.close();
    recording.close();
  }
}
