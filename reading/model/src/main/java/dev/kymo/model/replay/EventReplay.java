package dev.kymo.model.replay;

import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.SegmentMerge;
import dev.kymo.reader.ThreadStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads the user events of some threads again. Calls are not rebuilt, so that a stream of many
 * threads is read once for all of them, from just before the first clock.
 */
public final class EventReplay implements EventSink {
  private final Map<Long, Wanted> wanted = new HashMap<>();
  private final CallSink sink;

  private static final class Wanted {
    final ThreadCalls thread;
    final MethodTable.Numbers numbers;
    long last = Long.MIN_VALUE;

    Wanted(ThreadCalls thread, MethodTable.Numbers numbers) {
      this.thread = thread;
      this.numbers = numbers;
    }
  }

  private EventReplay(CallSink sink) {
    this.sink = sink;
  }

  /** Hands the user events between two clocks to a sink; also some around them: the sink picks. */
  public static void run(
      CallPass pass,
      RecordingIndex index,
      Collection<ThreadCalls> threads,
      long begin,
      long end,
      CallSink sink) {
    EventReplay replay = new EventReplay(sink);
    TreeSet<Integer> numbers = new TreeSet<>();
    long last = Long.MIN_VALUE;
    for (ThreadCalls thread : threads) {
      if (thread.first() <= end && thread.last() >= begin) {
        replay.wanted.put(
            RecordedDefinitions.key(thread.process(), thread.thread()),
            new Wanted(thread, pass.definitions().methods().numbers(thread.process())));
        for (int stream : index.of(thread).streams()) {
          numbers.add(stream);
        }
        last = Math.max(last, thread.last());
      }
    }
    List<ThreadStream> streams = new ArrayList<>();
    for (int stream : numbers) {
      int entry = index.stream(stream).before(begin);
      streams.add(index.open(pass.recording(), stream, entry));
    }
    SegmentMerge.run(streams, replay, Math.min(end, last));
  }

  @Override
  public void events(EventBatch batch) {
    Wanted of =
        batch.hasDetails()
            ? wanted.get(RecordedDefinitions.key(batch.process(), batch.thread()))
            : null;
    if (of == null) {
      return;
    }
    long[] clocks = batch.clocks();
    int[] words = batch.words();
    for (int i = 0; i < batch.count(); i++) {
      int word = words[i];
      of.last = Math.max(of.last, clocks[i]);
      if (EventBatch.isEvent(word)) {
        sink.event(of.thread, of.numbers.of(batch.event(word)), of.last, batch, word);
      }
    }
  }
}
