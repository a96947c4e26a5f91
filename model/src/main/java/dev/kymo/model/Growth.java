package dev.kymo.model;

import dev.kymo.format.Definition;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.FollowSink;
import dev.kymo.reader.Follower;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the index of a recording while that is written, as far as it is there; used by one thread.
 * Time 0 is the first event, so there is nothing to show before it.
 */
final class Growth implements FollowSink {
  private static final long STATE_EVERY = 16_384;

  private final Recording recording;
  private final IndexStore store;
  private final Definitions definitions = Definitions.none();
  private final Diagnostics diagnostics = new Diagnostics();
  private final Follower follower;
  private @Nullable Begun begun;

  /** What there is once an event has been read. */
  private record Begun(
      CallPass pass,
      CallBuilder builder,
      ZoomLevels levels,
      RecordingIndex index,
      RecordingTimeline timeline) {}

  Growth(Recording recording) throws IOException {
    this.recording = recording;
    this.store = IndexStore.create(recording);
    this.follower = recording.follow(diagnostics);
  }

  /** Reads what is new; at the end completes the index. */
  Follower.State poll() throws IOException {
    Follower.State state = follower.poll(this);
    Begun now = begun;
    if (now != null) {
      if (state != Follower.State.GROWING) {
        now.builder().finish();
      }
      now.pass().grow(now.builder());
      now.timeline().grow(now.pass().threads());
      if (state == Follower.State.COMPLETE) {
        Indexes.finish(store, now.pass(), now.index(), now.levels(), STATE_EVERY);
      }
    }
    return state;
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
  public void events(EventBatch batch) {
    begun(batch.clocks()[0]).index().events(batch);
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    begun(from).index().gap(process, thread, from, to, lost);
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
      CallPass pass = CallPass.growing(recording, diagnostics, definitions, clock);
      ZoomLevels levels = new ZoomLevels(store::newLevel);
      CallBuilder builder = pass.builder(Indexes.toLevels(levels, pass));
      RecordingIndex index =
          new RecordingIndex(builder, store.newStates(), pass.nanoClock(), STATE_EVERY);
      return new Begun(
          pass, builder, levels, index, new RecordingTimeline(pass, store, levels, index));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Definitions definitions() {
    return definitions;
  }

  /** What was odd so far. */
  Diagnostics diagnostics() {
    return diagnostics;
  }

  void close() {
    store.close();
    recording.close();
  }
}
