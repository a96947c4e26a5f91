package dev.kymo.editing.slice;

import dev.kymo.analysis.filter.CallFacts;
import dev.kymo.analysis.filter.EventTest;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.calls.CallBuilder;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Records that a choice of calls and events keeps. A call is known only when it ends, its begin is
 * recorded long before: so all records are read once, and each gets a bit, by its place among the
 * records of calls and events in its stream. A hundred million records take 12 MB.
 */
final class KeptEvents implements CallSink {
  private static final long NONE = -1;

  private final EventTest test;
  private final CallSink sink;
  private final Predicate<ThreadCalls> threads;
  private final CallFacts facts;
  private final Map<Integer, BitSet> kept = new HashMap<>();
  private final Map<Integer, Integer> counts = new HashMap<>();

  /** By thread and depth: where the call's begin is recorded, {@code stream << 32 | place}. */
  private final Map<ThreadCalls, long[]> begins = new HashMap<>();

  private int stream;

  /**
   * Nothing yet.
   *
   * @param sink takes the calls that are kept
   * @param threads that are asked about; nothing of others is kept
   */
  KeptEvents(CallPass pass, EventTest test, CallSink sink, Predicate<ThreadCalls> threads) {
    this.test = test;
    this.sink = sink;
    this.threads = threads;
    this.facts = new CallFacts(pass);
  }

  void read(CallPass pass, ProgressListener progress) {
    CallBuilder builder = pass.builder(this);
    EventSink first =
        new EventSink() {
          @Override
          public void events(EventBatch batch) {
            stream = batch.stream();
            builder.events(batch);
          }

          @Override
          public void gap(int process, int thread, long from, long to, long lost) {
            builder.gap(process, thread, from, to, lost);
          }
        };
    pass.run(builder, first, progress);
  }

  /** Place of the record that is being read, among those that are counted. */
  private long next() {
    int place = counts.merge(stream, 1, Math::addExact) - 1;
    return (long) stream << 32 | place;
  }

  private void keep(long record) {
    if (record != NONE) {
      kept.computeIfAbsent((int) (record >>> 32), number -> new BitSet()).set((int) record);
    }
  }

  @Override
  public void enter(ThreadCalls thread, int depth, int method, long clock) {
    long[] ofThread = begins.computeIfAbsent(thread, t -> none(8));
    if (depth >= ofThread.length) {
      ofThread = Arrays.copyOf(ofThread, depth * 2);
      Arrays.fill(ofThread, depth, ofThread.length, NONE);
      begins.put(thread, ofThread);
    }
    ofThread[depth] = next();
  }

  private static long[] none(int size) {
    long[] all = new long[size];
    Arrays.fill(all, NONE);
    return all;
  }

  @Override
  public void call(CallCursor call) {
    long[] ofThread = begins.get(call.thread());
    int depth = call.depth();
    long begin = ofThread == null || depth >= ofThread.length ? NONE : ofThread[depth];
    if (ofThread != null && begin != NONE) {
      ofThread[depth] = NONE; // a leave without an enter has none
    }
    long end = call.is(Slice.INFERRED_END | Slice.OPEN_END) ? NONE : next();
    if (threads.test(call.thread()) && test.accept(facts.call(call))) {
      keep(begin);
      keep(end);
      sink.call(call);
    }
    if (depth == 0) {
      begins.remove(call.thread()); // of a million threads most have ended
    }
  }

  @Override
  public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
    long record = next();
    if (threads.test(thread) && test.accept(facts.event(thread, event, clock, batch, word))) {
      keep(record);
    }
  }

  /** Goes through the records of a stream again. */
  Reader of(int streamNumber) {
    return new Reader(kept.getOrDefault(streamNumber, new BitSet()));
  }

  /** Says of one record after the other whether it is kept. */
  static final class Reader {
    private final BitSet kept;
    private int place;

    Reader(BitSet kept) {
      this.kept = kept;
    }

    /** Whether a record is one of a call or event; others are not asked about. */
    static boolean counts(int word) {
      return EventBatch.id(word) <= ThreadRecord.UNWIND || EventBatch.isEvent(word);
    }

    boolean next() {
      return kept.get(place++);
    }

    void skip(int[] words, int from, int to) {
      for (int i = from; i < to; i++) {
        place += counts(words[i]) ? 1 : 0;
      }
    }
  }
}
