package dev.kymo.model.replay;

import dev.kymo.format.Clock;
import dev.kymo.model.calls.CallBuilder;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.model.index.Contents;
import dev.kymo.model.index.IndexStore;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recording as it was read before, by its stored index: its threads, and how to read each again.
 *
 * @param pass the recording, as if all its events had been read
 * @param index how to read any thread again
 * @param store where the index lies; the caller closes it
 * @param rest what follows in the contents: zoom levels and arrows
 */
public record StoredIndex(
    CallPass pass, RecordingIndex index, IndexStore store, Contents.Reader rest) {

  /** Takes in what follows in the contents. */
  @FunctionalInterface
  public interface Continued<T> {
    T with(StoredIndex stored) throws IOException;
  }

  /**
   * Opens the index of a recording; null if it has none that fits.
   *
   * @param then makes what is wanted of it, and is responsible for the store from then on
   */
  public static <T> @Nullable T open(Recording recording, Continued<T> then) {
    IndexStore store;
    try {
      store = IndexStore.existing(recording);
    } catch (IOException e) {
      return null; // there is none, or it is a link
    }
    try {
      Contents.Reader contents = store.contents(recording);
      if (contents != null) {
        return then.with(read(recording, store, contents));
      }
    } catch (IOException | RuntimeException e) {
      // Everything in it can be made again. A checksum does not prove who wrote it:
      // numbers that no index has may lead anywhere.
    }
    store.close();
    return null;
  }

  private static StoredIndex read(Recording recording, IndexStore store, Contents.Reader contents)
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
    return new StoredIndex(pass, index, store, contents);
  }

  /**
   * Writes what {@link #open} reads.
   *
   * @param stateEvery events of a thread after which its state was kept
   */
  public static void write(
      CallPass pass, RecordingIndex index, Contents contents, long stateEvery) {
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
    index.writeTo(contents);
  }
}
