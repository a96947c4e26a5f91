package dev.kymo.model;

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
    CallSink none = (thread, depth, method, begin, end, childTime, children, flags) -> {};
    CallBuilder builder = pass.builder(none);
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
