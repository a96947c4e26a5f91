package dev.kymo.model.calls;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.Oddity;
import dev.kymo.reader.Recording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Gives each thread of a recording its events and finishes all of them at the end. */
public final class CallBuilder implements EventSink {
  /** More undefined threads than this are damage; the rest are taken for one. */
  private static final int MAX_UNDEFINED = 1 << 16;

  private final Recording recording;
  private final RecordedDefinitions definitions;
  private final Diagnostics diagnostics;
  private final CallCursor cursor;
  private final Predicate<ThreadCalls> selection;
  private final Map<Long, ThreadCalls> threads = new HashMap<>();
  private final List<ThreadCalls> inOrder = new ArrayList<>();

  /** A thread, and what it waited for. */
  private final Map<Owner, List<ThreadCalls>> sharing = new HashMap<>();

  private final Map<Integer, Long> processEnds = new HashMap<>();
  private @Nullable ThreadCalls[] onStream = {};
  private @Nullable ThreadCalls current;
  private int undefined;

  private record Owner(int process, long javaId) {
    static Owner of(ThreadCalls thread) {
      return new Owner(thread.process(), thread.definition().javaId());
    }
  }

  /**
   * A builder without threads.
   *
   * @param selection threads whose calls are built; others are only counted
   */
  CallBuilder(
      Recording recording,
      RecordedDefinitions definitions,
      Diagnostics diagnostics,
      CallSink sink,
      Predicate<ThreadCalls> selection) {
    this.recording = recording;
    this.definitions = definitions;
    this.diagnostics = diagnostics;
    this.cursor = new CallCursor(sink);
    this.selection = selection;
  }

  @Override
  public void events(EventBatch batch) {
    ThreadCalls thread = thread(batch.process(), batch.thread());
    if (batch.start()) {
      passOn(batch, thread);
    }
    if (batch.clocks()[0] < thread.last) {
      moveBack(batch, thread);
    }
    if (thread.stream < 0) {
      adoptLosses(thread, batch.stream());
    }
    thread.stream = batch.stream();
    thread.take(batch);
  }

  /** What was lost of a ring before something is met in it may have been that one's. */
  private void adoptLosses(ThreadCalls met, int stream) {
    for (ThreadCalls other : sharing.getOrDefault(Owner.of(met), List.of())) {
      if (other.stream == stream) {
        met.around.addAll(other.gaps);
      }
    }
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    ThreadCalls met = thread(process, thread);
    met.gaps.add(from, to, lost);
    for (ThreadCalls other : sharing.getOrDefault(Owner.of(met), List.of())) {
      if (other != met && other.stream == met.stream) {
        other.around.add(from, to, 0);
      }
    }
    processEnds.merge(process, to, Math::max);
  }

  /** Calls of a thread, which may have no events, were counted until a clock. */
  void counted(int process, int thread, long clock) {
    thread(process, thread);
    processEnds.merge(process, clock, Math::max);
  }

  /** A platform thread has ended if another thread has its ring. */
  private void passOn(EventBatch batch, ThreadCalls thread) {
    int stream = batch.stream();
    if (stream >= onStream.length) {
      onStream = Arrays.copyOf(onStream, Math.max(stream + 1, onStream.length * 2));
    }
    ThreadCalls before = onStream[stream];
    boolean switched = EventBatch.id(batch.words()[0]) == ThreadRecord.SWITCH;
    if (before != null && before != thread && !switched) {
      before.ended = before.definition().kind() == Definition.TracedThread.PLATFORM;
    }
    thread.ended = false;
    onStream[stream] = thread;
  }

  private void moveBack(EventBatch batch, ThreadCalls thread) {
    long[] clocks = batch.clocks();
    long first = clocks[0];
    long last = thread.last;
    diagnostics.add(
        Oddity.TWO_PLACES,
        recording.threadStreams().get(batch.stream()).name(),
        batch.offset(),
        () ->
            "process=%d thread=%d clock=%d clock_elsewhere=%d"
                .formatted(batch.process(), batch.thread(), first, last));
    for (int i = 0; i < batch.count() && clocks[i] < last; i++) {
      clocks[i] = last;
    }
  }

  public ThreadCalls thread(int process, int thread) {
    ThreadCalls same = current;
    if (same != null && same.thread() == thread && same.process() == process) {
      return same;
    }
    ThreadCalls found = threads.get(RecordedDefinitions.key(process, thread));
    if (found == null) {
      found = newThread(process, thread);
    }
    current = found;
    return found;
  }

  private ThreadCalls newThread(int process, int thread) {
    boolean defined = definitions.thread(process, thread).isPresent();
    if (!defined && ++undefined > MAX_UNDEFINED && thread != 0) {
      return thread(process, 0);
    }
    ThreadCalls calls =
        new ThreadCalls(
            inOrder.size(),
            process,
            definitions.threadOrNameless(process, thread),
            definitions.methods().numbers(process),
            cursor);
    calls.selected = selection.test(calls);
    inOrder.add(calls);
    threads.put(RecordedDefinitions.key(process, thread), calls);
    if (calls.definition().kind() <= Definition.TracedThread.STATES && defined) {
      sharing.computeIfAbsent(Owner.of(calls), none -> new ArrayList<>(2)).add(calls);
    }
    return calls;
  }

  /**
   * Ends what is still open: with its process, or with its thread if that is known to have ended.
   */
  public void finish() {
    for (ThreadCalls thread : inOrder) {
      processEnds.merge(thread.process(), thread.last, Math::max);
    }
    for (ThreadCalls thread : inOrder) {
      long end = processEnds.getOrDefault(thread.process(), 0L);
      thread.finish(thread.ended ? thread.last : end);
    }
  }

  /** Threads in the order in which they were first met. */
  public List<ThreadCalls> threads() {
    return inOrder;
  }
}
