package dev.kymo.model.timeline;

import dev.kymo.format.Clock;
import dev.kymo.model.arrows.ArrowsAndCounters;
import dev.kymo.model.calls.CallBuilder;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.model.index.Contents;
import dev.kymo.model.index.IndexStore;
import dev.kymo.model.levels.ZoomLevels;
import dev.kymo.model.replay.RecordingIndex;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the index of a recording, and opens one that was made. */
final class Indexes {
  private Indexes() {}

  /** The timeline of a recording that has a fitting index; null if it has none. */
  static @Nullable Timeline open(Recording recording) {
    IndexStore store;
    try {
      store = IndexStore.existing(recording);
    } catch (IOException e) {
      return null; // there is none, or it is a link
    }
    try {
      Contents.Reader contents = store.contents(recording);
      if (contents != null) {
        return open(recording, store, contents);
      }
    } catch (IOException | RuntimeException e) {
      // Everything in it can be made again. A checksum does not prove who wrote it:
      // numbers that no index has may lead anywhere.
    }
    store.close();
    return null;
  }

  private static Timeline open(Recording recording, IndexStore store, Contents.Reader contents)
      throws IOException {
    ByteCursor facts = contents.next();
    Clock clock = new Clock(facts.text(), facts.number(), facts.signed());
    long base = facts.number();
    long end = facts.number();
    long stateEvery = facts.number();
    CallPass pass =
        CallPass.restored(recording, clock, base, end, methods -> methods.readFrom(facts));
    CallBuilder builder = pass.builder(CallSink.NONE);
    List<String> oddities = new ArrayList<>();
    int count = facts.count();
    for (int i = 0; i < count; i++) {
      oddities.add(facts.text());
    }
    long threads = facts.number();
    for (long i = 0; i < threads; i++) {
      ByteCursor from = contents.next();
      builder.thread((int) from.number(), (int) from.signed()).readFrom(from);
    }
    pass.restore(builder.threads(), oddities);
    RecordingIndex index =
        new RecordingIndex(builder, store.states(), pass.nanoClock(), stateEvery);
    index.readFrom(contents);
    ZoomLevels levels = new ZoomLevels(store::newLevel);
    levels.readFrom(contents, store::level);
    ArrowsAndCounters waits = new ArrowsAndCounters();
    waits.readFrom(contents);
    return new RecordingTimeline(pass, store, levels, index, waits);
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
          write(pass, contents, stateEvery);
          index.writeTo(contents);
          levels.writeTo(contents);
          waits.writeTo(contents);
        });
  }

  private static void write(CallPass pass, Contents contents, long stateEvery) {
    ByteWriter facts = contents.next();
    Clock clock = pass.clock();
    facts.text(clock.name()).number(clock.frequency()).signed(clock.wallOffset());
    facts.number(pass.base()).number(pass.end()).number(stateEvery);
    pass.definitions().methods().writeTo(facts);
    List<String> oddities = pass.oddities();
    facts.number(oddities.size());
    oddities.forEach(facts::text);
    facts.number(pass.threads().size());
    for (ThreadCalls thread : pass.threads()) {
      thread.writeTo(contents.next());
    }
  }
}
