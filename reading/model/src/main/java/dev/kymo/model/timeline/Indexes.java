package dev.kymo.model.timeline;

import dev.kymo.model.arrows.ArrowsAndCounters;
import dev.kymo.model.calls.CallBuilder;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.index.IndexStore;
import dev.kymo.model.levels.ZoomLevels;
import dev.kymo.model.replay.RecordingIndex;
import dev.kymo.model.replay.StoredIndex;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Makes the index of a recording, and opens one that was made. */
final class Indexes {
  private Indexes() {}

  /** The timeline of a recording that has a fitting index; null if it has none. */
  static @Nullable RecordingTimeline open(Recording recording) {
    return StoredIndex.open(recording, Indexes::open);
  }

  private static RecordingTimeline open(StoredIndex stored) throws IOException {
    IndexStore store = stored.store();
    ZoomLevels levels = new ZoomLevels(store::newLevel);
    levels.readFrom(stored.rest(), store::level);
    ArrowsAndCounters waits = new ArrowsAndCounters();
    waits.readFrom(stored.rest());
    return new RecordingTimeline(stored.pass(), store, levels, stored.index(), waits);
  }

  /** Reads a recording and writes its index; elsewhere, if the disk it is on is full. */
  static Timeline make(Recording recording, ProgressListener progress, Timelines.Limits limits)
      throws IOException {
    try {
      return make(recording, IndexStore.create(recording), progress, limits);
    } catch (IOException | UncheckedIOException e) {
      return make(
          recording, IndexStore.temporary(String.valueOf(e.getMessage())), progress, limits);
    }
  }

  private static Timeline make(
      Recording recording, IndexStore store, ProgressListener progress, Timelines.Limits limits)
      throws IOException {
    try {
      CallPass pass = CallPass.open(recording);
      ZoomLevels levels = new ZoomLevels(store::newLevel, limits.smallLevel(), limits.buffered());
      ArrowsAndCounters waits = new ArrowsAndCounters();
      CallBuilder builder = pass.builder(new ToLevels(levels, waits, pass));
      RecordingIndex index =
          new RecordingIndex(builder, store.newStates(), pass.nanoClock(), limits.stateEvery());
      pass.run(builder, index, progress);
      RecordingTimeline timeline = new RecordingTimeline(pass, store, levels, index, waits);
      finish(store, pass, index, levels, waits, limits.stateEvery());
      return timeline;
    } catch (IOException | RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  /** Completes an index whose events have all been read. */
  static void finish(
      IndexStore store,
      CallPass pass,
      RecordingIndex index,
      ZoomLevels levels,
      ArrowsAndCounters waits,
      long stateEvery)
      throws IOException {
    store.finish(
        pass.recording(),
        contents -> {
          StoredIndex.write(pass, index, contents, stateEvery);
          levels.writeTo(contents);
          waits.writeTo(contents);
        });
  }
}
