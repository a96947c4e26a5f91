package dev.kymo.model.calls;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.counts.CountedThread;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.reader.EventBatch;
import java.util.Arrays;

/**
 * The call stack of one thread while its events are read, and what was counted.
 *
 * <p>What does not fit is neither dropped nor silently guessed. A leave of a method that is not on
 * top ends the calls above it too ({@link Slice#INFERRED_END}). A leave of a method that is not on
 * the stack makes a call whose end alone is known ({@link Slice#OPEN_BEGIN}); it begins at the
 * earliest moment at which it overlaps no other call. The stack is kept over losses.
 *
 * <p>A detail is handed out with its call, even if the call is open at the end.
 *
 * <pre>
 *   a frame, longs: 0 begin · 1 time of children · 2 children · 3 method &lt;&lt; 32 | flags
 *                   4 end of the call before at this depth · 5 number of the call
 * </pre>
 */
public final class ThreadCalls implements CountedThread {
  static final int FRAME = 6;
  static final int CHILD_TIME = 1;
  static final int CHILDREN = 2;
  static final int METHOD = 3;
  static final int END_BEFORE = 4;
  static final int NUMBER = 5;
  private static final long[] NONE = {};

  private final int index;
  private final int process;
  private final int thread;
  private final Definition.TracedThread definition;
  private final MethodTable.Numbers methods;
  private final CallSink sink;
  private final CallCursor cursor;

  long[] frames = NONE;
  public int depth;
  long rootEnd;
  private long[] active = NONE;
  GapList gaps = new GapList();

  /**
   * Losses of the thread whose states these are, or of its states, in the ring that both have: what
   * these did then is not known either.
   */
  GapList around = new GapList();

  final EventCounts counts = new EventCounts();
  long first = -1;
  public long last;
  boolean ended;

  /** Number of the stream in which its last events were; -1 = none. */
  int stream = -1;

  private long finished;

  /** Calls that began before those that are counted here. */
  private long begunBefore;

  /** Detail of the innermost call, not handed out yet; 0 = none. */
  private long detail;

  boolean selected = true;

  public ThreadCalls(
      int index,
      int process,
      Definition.TracedThread definition,
      MethodTable.Numbers methods,
      CallCursor cursor) {
    this.index = index;
    this.process = process;
    this.thread = definition.thread();
    this.definition = definition;
    this.methods = methods;
    this.sink = cursor.sink();
    this.cursor = cursor;
  }

  void take(EventBatch batch) {
    long[] clocks = batch.clocks();
    int[] words = batch.words();
    int count = batch.count();
    int depthBefore = depth;
    if (first < 0) {
      first = clocks[0];
    }
    reachGaps(clocks[0]);
    int i = 0;
    if (EventBatch.id(words[0]) == ThreadRecord.SWITCH) {
      counts.switches++;
      i = 1;
    }
    if (!selected) {
      countOnly(words, i, count);
    } else if (detail != 0 || batch.hasDetails()) {
      takeRare(batch, i);
    } else {
      for (; i < count; i++) {
        takeCall(words[i], clocks[i]);
      }
    }
    last = clocks[count - 1];
    if (batch.begun()) {
      beginsUnknown(depthBefore);
    }
    if (depth == 0) {
      release();
    }
  }

  private void takeCall(int word, long clock) {
    if (EventBatch.id(word) == ThreadRecord.ENTER) {
      enter(methods.of(EventBatch.payload(word)), clock);
    } else {
      int flags = EventBatch.id(word) == ThreadRecord.UNWIND ? Slice.UNWOUND : 0;
      leave(methods.of(EventBatch.payload(word)), clock, flags);
    }
  }

  /** A separate loop: there are so many calls of threads that each check costs time. */
  private void takeRare(EventBatch batch, int from) {
    for (int i = from; i < batch.count(); i++) {
      int word = batch.words()[i];
      if (EventBatch.id(word) == ThreadRecord.DETAIL) {
        counts.details++;
        detail = batch.details()[EventBatch.payload(word)];
      } else if (EventBatch.isEvent(word)) {
        counts.own++;
        sink.event(this, methods.of(batch.event(word)), batch.clocks()[i], batch, word);
      } else {
        tellDetail(EventBatch.id(word) != ThreadRecord.ENTER);
        takeCall(word, batch.clocks()[i]);
      }
    }
  }

  /** The detail of a call whose end was lost is given to no other call. */
  private void tellDetail(boolean ends) {
    if (ends) {
      cursor.detail(detail);
    }
    detail = 0;
  }

  /** The calls that were entered last began before the recording did. */
  private void beginsUnknown(int fromDepth) {
    for (int i = fromDepth; i < depth; i++) {
      frames[i * FRAME + METHOD] |= Slice.OPEN_BEGIN;
    }
  }

  private void reachGaps(long clock) {
    while (gaps.reach(clock)) {
      int gap = gaps.reached();
      sink.gap(this, gaps.from(gap), gaps.to(gap), gaps.lost(gap));
    }
    while (around.reach(clock)) {
      // what is open over it is not sure
    }
  }

  /** End of the last loss that has passed; 0 = none. */
  private long lossEnd() {
    return Math.max(gaps.reachedEnd(), around.reachedEnd());
  }

  private void countOnly(int[] words, int from, int to) {
    for (int i = from; i < to; i++) {
      switch (EventBatch.id(words[i])) {
        case ThreadRecord.ENTER -> counts.enters++;
        case ThreadRecord.LEAVE -> counts.leaves++;
        case ThreadRecord.DETAIL -> counts.details++;
        case ThreadRecord.EVENT, ThreadRecord.EVENT_DATA -> counts.own++;
        default -> counts.unwinds++;
      }
    }
  }

  /** At any moment of reading, most threads have ended: they keep no memory. */
  private void release() {
    rootEnd = frames.length == 0 ? rootEnd : frames[END_BEFORE];
    frames = NONE;
    active = NONE;
  }

  private void enter(int method, long clock) {
    push(method, clock);
    counts.enters++;
    sink.enter(this, depth - 1, method, clock);
  }

  private void push(int method, long clock) {
    int at = depth * FRAME;
    if (at + 2 * FRAME > frames.length) {
      growFrames();
    }
    int word = method >>> 6;
    if (word >= active.length) {
      active = Arrays.copyOf(active, Math.max(word + 1, active.length * 2));
    }
    long bit = 1L << method;
    long nested = (active[word] & bit) != 0 ? CallCursor.NESTED : 0;
    active[word] |= bit;
    frames[at] = clock;
    frames[at + CHILD_TIME] = 0;
    frames[at + CHILDREN] = 0;
    frames[at + METHOD] = ((long) method << 32) | nested;
    frames[at + NUMBER] = begun();
    depth++;
    if (depth > counts.depth) {
      counts.depth = depth;
    }
  }

  /** How many calls have begun; also the next one's number. */
  long begun() {
    return begunBefore + counts.enters + counts.unmatchedLeaves;
  }

  /** Number of the call at a depth, in the order of their begins. */
  long number(int atDepth) {
    return frames[atDepth * FRAME + NUMBER];
  }

  private void growFrames() {
    boolean empty = frames.length == 0;
    frames = Arrays.copyOf(frames, Math.max(8 * FRAME, frames.length * 2));
    if (empty) {
      frames[END_BEFORE] = rootEnd;
    }
  }

  private void leave(int method, long clock, int flags) {
    if (flags == 0) {
      counts.leaves++;
    } else {
      counts.unwinds++;
    }
    int top = (depth - 1) * FRAME;
    if (top >= 0 && (int) (frames[top + METHOD] >>> 32) == method) {
      pop(clock, flags);
    } else {
      leaveOdd(method, clock, flags);
    }
  }

  private void leaveOdd(int method, long clock, int flags) {
    int word = method >>> 6;
    if (word < active.length && (active[word] & (1L << method)) != 0) {
      while ((int) (frames[(depth - 1) * FRAME + METHOD] >>> 32) != method) {
        counts.missingLeaves++;
        pop(clock, Slice.INFERRED_END);
      }
      pop(clock, flags);
    } else {
      push(method, unknownBegin(clock));
      counts.unmatchedLeaves++;
      pop(clock, flags | Slice.OPEN_BEGIN);
    }
  }

  /** The earliest time at which a call at this depth, whose begin is unknown, can have begun. */
  private long unknownBegin(long clock) {
    long begin = Math.max(first, lossEnd());
    if (depth > 0) {
      begin = Math.max(begin, frames[(depth - 1) * FRAME]);
    }
    int end = depth * FRAME + END_BEFORE;
    begin = Math.max(begin, end < frames.length ? frames[end] : rootEnd);
    return Math.min(begin, clock);
  }

  private void pop(long clock, int flags) {
    depth--;
    int at = depth * FRAME;
    long begin = frames[at];
    long methodAndFlags = frames[at + METHOD];
    int method = (int) (methodAndFlags >>> 32);
    int all = (int) methodAndFlags | flags;
    if ((all & CallCursor.NESTED) == 0) {
      active[method >>> 6] &= ~(1L << method);
    }
    if (begin < lossEnd()) {
      all |= Slice.LOSSY;
    }
    if (at > 0) {
      frames[at - FRAME + CHILD_TIME] += clock - begin;
      frames[at - FRAME + CHILDREN]++;
    }
    frames[at + END_BEFORE] = clock;
    counts.calls++;
    cursor.put(this, depth, method, all);
    cursor.hand(begin, clock, frames[at + CHILD_TIME], frames[at + CHILDREN]);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Counters are read once a second, also when the thread has ended: one whose recorded calls
   * have all ended is taken to have counted none after them.
   */
  @Override
  public long countedUntil(long before, long reading) {
    boolean over = depth == 0 && counts.openCalls == 0 && counts.calls > 0;
    return over && last > before ? Math.min(last, reading) : reading;
  }

  /** Clock at which a call that is running began. */
  public long runningSince(int at) {
    return frames[at * FRAME];
  }

  /** {@code method << 32 | flags} of a call that is running. */
  public long runningWord(int at) {
    long lossy = frames[at * FRAME] < lossEnd() ? Slice.LOSSY : 0;
    return frames[at * FRAME + METHOD] | Slice.OPEN_END | lossy;
  }

  /** How many calls a call that is running has made directly, of those that have ended. */
  public long runningChildren(int at) {
    return frames[at * FRAME + CHILDREN];
  }

  /** Clock ticks that those calls took. */
  public long runningChildTime(int at) {
    return frames[at * FRAME + CHILD_TIME];
  }

  /** What is known of the thread once all its events were read. */
  public void writeTo(ByteWriter to) {
    to.number(process).signed(thread).signed(first).number(last).number(finished);
    counts.writeTo(to);
    to.signed(detail);
    gaps.writeTo(to);
    around.writeTo(to);
  }

  /** Takes what {@link #writeTo} wrote, except for the numbers of process and thread. */
  public void readFrom(ByteCursor from) {
    first = from.signed();
    last = from.number();
    finished = from.number();
    counts.readFrom(from);
    detail = from.signed();
    gaps = GapList.read(from);
    around = GapList.read(from);
  }

  /** No more events come: what is open ends here. */
  public void finish(long clock) {
    long end = Math.max(clock, last);
    finished = end;
    reachGaps(end);
    counts.openCalls = depth;
    long ofOpen = detail;
    tellDetail(depth > 0);
    while (depth > 0) {
      pop(end, Slice.OPEN_END);
    }
    detail = ofOpen;
  }

  /** Detail of a call that is open: {@link ThreadRecord#detail}; 0 = none. */
  public long openDetail() {
    return detail;
  }

  /** Continues from a state that was kept when the original was read. */
  public void resume(Snapshot from, ThreadCalls original) {
    gaps = original.gaps.resumedAt(from.clock());
    around = original.around.resumedAt(from.clock());
    first = original.first;
    last = first;
    rootEnd = from.rootEnd();
    detail = from.detail();
    begunBefore = from.begun();
    long[] saved = from.frames();
    for (int i = 0; i < from.depth(); i++) {
      int at = i * FRAME;
      push((int) (saved[at + METHOD] >>> 32), saved[at]);
      frames[at + METHOD] |= saved[at + METHOD] & Slice.OPEN_BEGIN;
      frames[at + CHILD_TIME] = saved[at + CHILD_TIME];
      frames[at + CHILDREN] = saved[at + CHILDREN];
      frames[at + NUMBER] = saved[at + NUMBER];
    }
    for (int at = END_BEFORE; at < Math.min(saved.length, frames.length); at += FRAME) {
      frames[at] = saved[at];
    }
  }

  /** Takes events that were taken before, with the same result. */
  public void takeAgain(EventBatch batch) {
    long[] clocks = batch.clocks();
    for (int i = 0; i < batch.count() && clocks[i] < last; i++) {
      clocks[i] = last;
    }
    take(batch);
  }

  /** Position in the order in which threads were first met. */
  public int index() {
    return index;
  }

  @Override
  public int process() {
    return process;
  }

  @Override
  public int thread() {
    return thread;
  }

  /** Its definition; made up if there is none. */
  public Definition.TracedThread definition() {
    return definition;
  }

  public EventCounts counts() {
    return counts;
  }

  /** Intervals in which events were lost; clock ticks. */
  public GapList gaps() {
    return gaps;
  }

  /** Whether events of it were lost that may lie in a range; clock ticks. */
  public boolean isLossy(long from, long to) {
    return gaps.touches(from, to) || around.touches(from, to);
  }

  /** Clock of the first event; -1 = none. */
  public long first() {
    return first;
  }

  /** Clock at which its open calls were ended. */
  public long finished() {
    return finished;
  }

  /** Clock of the last event. */
  public long last() {
    return last;
  }
}
