package dev.kymo.model.replay;

import dev.kymo.model.calls.CallBuilder;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.index.IndexFile;
import java.util.List;
import java.util.function.Predicate;

/**
 * The calls of a recording thread by thread, each from its beginning to its end. Reads the
 * recording twice: once to find the threads, which may have hopped from stream to stream, and then
 * each.
 */
public final class ThreadHistories {
  private final CallPass pass;
  private final RecordingIndex index;

  private ThreadHistories(CallPass pass, RecordingIndex index) {
    this.pass = pass;
    this.index = index;
  }

  /** Finds the threads of an opened pass. */
  public static ThreadHistories of(CallPass pass, ProgressListener progress) {
    CallBuilder builder = pass.builder(CallSink.NONE);
    RecordingIndex index =
        new RecordingIndex(builder, IndexFile.inMemory(), pass.nanoClock(), 1 << 20);
    pass.run(builder, index, progress);
    return new ThreadHistories(pass, index);
  }

  /** The threads that have events, in the order in which they were first met. */
  public List<ThreadCalls> threads(Predicate<ThreadCalls> selection) {
    return pass.threads().stream()
        .filter(t -> t.counts().events() > 0 && selection.test(t))
        .toList();
  }

  /** Hands everything a thread did to a sink. */
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
}
