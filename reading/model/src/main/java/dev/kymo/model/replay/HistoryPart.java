package dev.kymo.model.replay;

import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.Snapshot;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.SegmentMerge;
import dev.kymo.reader.ThreadStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A part of what happened, that can be read again without the other parts: a piece of one thread,
 * or all of some threads that share streams. Each call is in one part, that in which it ends.
 */
public final class HistoryPart {
  private final CallPass pass;
  private final RecordingIndex index;
  private final List<ThreadCalls> threads;

  /** Of the only thread: number of the state it begins with, and of the one it ends before. */
  private final int from;

  private final int to;

  private HistoryPart(
      CallPass pass, RecordingIndex index, List<ThreadCalls> threads, int from, int to) {
    this.pass = pass;
    this.index = index;
    this.threads = threads;
    this.from = from;
    this.to = to;
  }

  static HistoryPart whole(CallPass pass, RecordingIndex index, List<ThreadCalls> threads) {
    return new HistoryPart(pass, index, threads, 0, 0);
  }

  /** A thread that shares its streams with no other, in parts of so many events or more. */
  static List<HistoryPart> split(
      CallPass pass, RecordingIndex index, ThreadCalls thread, long events) {
    int states = index.of(thread).states();
    long wanted = Math.clamp(thread.counts().events() / events, 1, states);
    List<HistoryPart> parts = new ArrayList<>();
    for (long i = 0; i < wanted; i++) {
      int begin = (int) (i * states / wanted);
      int end = (int) ((i + 1) * states / wanted);
      parts.add(new HistoryPart(pass, index, List.of(thread), begin, end == states ? 0 : end));
    }
    return parts;
  }

  public List<ThreadCalls> threads() {
    return threads;
  }

  public Reading read(CallSink sink) {
    return new Reading(sink);
  }

  /** Reads a part bit by bit. */
  public final class Reading implements EventSink {
    private final Map<Long, ThreadCalls> again = new HashMap<>();
    private final Snapshot begin;
    private final @Nullable Snapshot end;
    private final SegmentMerge merge;
    private @Nullable ThreadCalls current;
    private boolean finished;

    private Reading(CallSink sink) {
      for (ThreadCalls thread : threads) {
        ThreadCalls calls = ThreadReplay.again(thread, pass.definitions(), sink);
        calls.resume(index.state(thread, from), thread);
        again.put(RecordedDefinitions.key(thread.process(), thread.thread()), calls);
      }
      ThreadCalls first = threads.getFirst();
      begin = index.state(first, from);
      end = to == 0 ? null : index.state(first, to);
      merge = SegmentMerge.of(streams(), end == null ? Long.MAX_VALUE : end.clock());
    }

    private List<ThreadStream> streams() {
      if (threads.size() == 1) {
        TrackIndex track = index.of(threads.getFirst());
        return ThreadReplay.streams(pass.recording(), index, track, begin);
      }
      Set<Integer> all = new HashSet<>();
      for (ThreadCalls thread : threads) {
        IntStream.of(index.of(thread).streams()).forEach(all::add);
      }
      List<ThreadStream> streams = new ArrayList<>();
      for (int stream : all.stream().sorted().toList()) {
        streams.add(index.open(pass.recording(), stream, 0));
      }
      return streams;
    }

    /** Reads on, some thousand events at most; returns whether there is more. */
    public boolean next() {
      if (!finished && !merge.deliver(this)) {
        finished = true;
        finish();
      }
      return !finished;
    }

    private void finish() {
      for (ThreadCalls thread : threads) {
        ThreadCalls calls = again(thread.process(), thread.thread());
        if (to == 0 && calls != null) {
          calls.finish(thread.finished());
        }
      }
    }

    private @Nullable ThreadCalls again(int process, int thread) {
      ThreadCalls same = current;
      if (same != null && same.thread() == thread && same.process() == process) {
        return same;
      }
      ThreadCalls found = again.get(RecordedDefinitions.key(process, thread));
      current = found == null ? current : found;
      return found;
    }

    @Override
    public void events(EventBatch batch) {
      ThreadCalls calls = again(batch.process(), batch.thread());
      boolean mine =
          threads.size() > 1
              || (ThreadReplay.isAfter(batch, begin)
                  && (end == null || !ThreadReplay.isAfter(batch, end)));
      if (calls != null && mine) {
        calls.takeAgain(batch);
      }
    }
  }
}
