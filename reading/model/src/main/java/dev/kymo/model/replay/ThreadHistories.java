package dev.kymo.model.replay;

import dev.kymo.model.calls.CallBuilder;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.index.IndexFile;
import dev.kymo.reader.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The calls of a recording, thread by thread, each from its beginning to its end. Threads may have
 * hopped from stream to stream; to find them takes a stored index, or a reading of the whole
 * recording.
 */
public final class ThreadHistories implements AutoCloseable {
  /** Events of a thread after which its state is kept. */
  private static final long STATE_EVERY = 1 << 18;

  private final CallPass pass;
  private final RecordingIndex index;
  private final Runnable end;

  private ThreadHistories(CallPass pass, RecordingIndex index, Runnable end) {
    this.pass = pass;
    this.index = index;
    this.end = end;
  }

  /**
   * Opens a recording by its index; if it has none that fits, reads it once.
   *
   * @param progress told how far that is
   */
  public static ThreadHistories open(Recording recording, ProgressListener progress) {
    ThreadHistories stored =
        StoredIndex.open(
            recording, s -> new ThreadHistories(s.pass(), s.index(), s.store()::close));
    return stored != null ? stored : of(CallPass.open(recording), progress);
  }

  /** Finds the threads of an opened pass. */
  public static ThreadHistories of(CallPass pass, ProgressListener progress) {
    return of(pass, progress, STATE_EVERY);
  }

  /**
   * The same.
   *
   * @param stateEvery events of a thread after which a part of it may begin
   */
  public static ThreadHistories of(CallPass pass, ProgressListener progress, long stateEvery) {
    CallBuilder builder = pass.builder(CallSink.NONE);
    RecordingIndex index =
        new RecordingIndex(builder, IndexFile.inMemory(), pass.nanoClock(), stateEvery);
    pass.run(builder, index, progress);
    return new ThreadHistories(pass, index, () -> {});
  }

  /** The recording, all of whose events were read. */
  public CallPass pass() {
    return pass;
  }

  /** The threads that have events, in the order in which they were first met. */
  public List<ThreadCalls> threads(Predicate<ThreadCalls> selection) {
    return pass.threads().stream()
        .filter(t -> t.counts().events() > 0 && selection.test(t))
        .toList();
  }

  /**
   * Everything that some threads did, in parts that can be read independently, each by one reader
   * at a time. Threads that share streams, as virtual threads do, are in one part.
   *
   * @param events of a thread from which on it is split
   */
  public List<HistoryPart> parts(Predicate<ThreadCalls> selection, long events) {
    List<HistoryPart> parts = new ArrayList<>();
    for (List<ThreadCalls> together : new SharedStreams(index).groups(threads(t -> true))) {
      List<ThreadCalls> selected = together.stream().filter(selection).toList();
      if (together.size() == 1 && !selected.isEmpty()) {
        parts.addAll(HistoryPart.split(pass, index, selected.getFirst(), events));
      } else if (!selected.isEmpty()) {
        parts.add(HistoryPart.whole(pass, index, selected));
      }
    }
    return parts;
  }

  public void replay(ThreadCalls thread, CallSink sink) {
    ThreadCalls again =
        ThreadReplay.run(
            pass.recording(),
            index,
            pass.definitions(),
            thread,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            sink);
    again.finish(thread.finished());
  }

  /** Closes the stored index, not the recording. */
  @Override
  public void close() {
    end.run();
  }
}
