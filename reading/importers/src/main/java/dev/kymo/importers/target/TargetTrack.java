package dev.kymo.importers.target;

import java.io.IOException;
import java.util.Arrays;

/** A row of the recording: a thread, or something else that calls and events lie on. */
public final class TargetTrack {
  private final TargetProcess process;
  private final int number;
  private final int index;
  private final String name;

  /** Functions of the open calls; what {@link Lines} knows of this track. */
  private int[] open = new int[16];

  /** When they end, {@link Long#MAX_VALUE} = not known. */
  private long[] ends = new long[16];

  private int depth;

  TargetTrack(TargetProcess process, int number, String name) {
    this.process = process;
    this.number = number;
    this.name = name;
    this.index = process.target().add(this);
  }

  /** Number in its process. */
  public int number() {
    return number;
  }

  public TargetProcess process() {
    return process;
  }

  String name() {
    return name;
  }

  int index() {
    return index;
  }

  public void enter(long clock, int function) throws IOException {
    take(clock, Happening.Kind.ENTER, function, 0, Happening.OPEN);
  }

  /** The innermost call returns. */
  public void leave(long clock) throws IOException {
    take(clock, Happening.Kind.LEAVE, -1, 0, Happening.OPEN);
  }

  /** A call returns; those within it, whose ends are missing, end too. */
  public void leave(long clock, int function) throws IOException {
    take(clock, Happening.Kind.LEAVE, function, 0, Happening.OPEN);
  }

  /** The same of a call that is an event, too. */
  public void leave(long clock, TargetEvent begun) throws IOException {
    leave(clock, begun.number());
  }

  /**
   * The innermost state ends.
   *
   * @param by track of states of the thread that ended it
   */
  public void leave(long clock, TargetTrack by) throws IOException {
    take(clock, Happening.Kind.LEAVE, -1, by.number, Happening.OPEN);
  }

  /** The innermost call ends by an exception. */
  public void unwind(long clock) throws IOException {
    take(clock, Happening.Kind.UNWIND, -1, 0, Happening.OPEN);
  }

  /**
   * A call whose end is known. Calls that overlap and do not lie in each other go to a track beside
   * this one.
   */
  public void call(long begin, long end, int function) throws IOException {
    take(begin, Happening.Kind.ENTER, function, 0, Math.max(begin, end));
  }

  /** An event happens; one value for each of its fields. */
  public void event(long clock, TargetEvent event, Object... values) throws IOException {
    process.target().take(event.happening(clock, index, values));
  }

  /** A call begins that is an event, too. */
  public void begin(long clock, TargetEvent event, Object... values) throws IOException {
    begin(clock, Happening.OPEN, event, values);
  }

  /** The same of a call whose end is known. */
  public void span(long begin, long end, TargetEvent event, Object... values) throws IOException {
    begin(begin, Math.max(begin, end), event, values);
  }

  private void begin(long clock, long end, TargetEvent event, Object... values) throws IOException {
    if (event.hasFields()) {
      process.target().take(event.happening(clock, index, values).entering(end));
    } else {
      take(clock, Happening.Kind.ENTER, event.number(), 0, end);
    }
  }

  public void lose(long clock, long count) throws IOException {
    process.target().lose(count);
    take(clock, Happening.Kind.LOSS, 0, count, Happening.OPEN);
  }

  private void take(long clock, Happening.Kind kind, int id, long value, long end)
      throws IOException {
    process.target().take(new Happening(clock, index, kind, id, value, end, Happening.NO_DATA));
  }

  void push(int function, long end) {
    if (depth == open.length) {
      open = Arrays.copyOf(open, depth * 2);
      ends = Arrays.copyOf(ends, depth * 2);
    }
    open[depth] = function;
    ends[depth++] = end;
  }

  int pop() {
    return open[--depth];
  }

  int depth() {
    return depth;
  }

  /** The innermost open function. */
  int top() {
    return open[depth - 1];
  }

  /** When the innermost call ends. */
  long topEnd() {
    return depth == 0 ? Long.MAX_VALUE : ends[depth - 1];
  }

  /** Whether the end of any open call is not known. */
  boolean hasOpenEnd() {
    for (int i = depth - 1; i >= 0; i--) {
      if (ends[i] == Happening.OPEN) {
        return true;
      }
    }
    return false;
  }

  boolean isOpen(int function) {
    for (int i = depth - 1; i >= 0; i--) {
      if (open[i] == function) {
        return true;
      }
    }
    return false;
  }
}
