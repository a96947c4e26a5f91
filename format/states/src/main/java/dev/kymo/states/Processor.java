package dev.kymo.states;

import dev.kymo.writer.TrackStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The activity of one processor: which thread runs, and the interrupts that it serves in between.
 */
final class Processor {
  private static final int DEEPEST = 16;

  final int track;

  /** Method that stands for a thread's running here. */
  final int running;

  private final Streams streams;
  private final ThreadStates threads;
  private @Nullable TrackStream stream;

  /** The recorded thread that runs. */
  private @Nullable Task current;

  /** Method of the thread's call, 0 = idle or not known. */
  private int call;

  private int depth;
  private final String[] stems = new String[DEEPEST];
  private final int[] interrupts = new int[DEEPEST];

  /** Methods of the interrupts on the running thread's track, 0 = not there. */
  private final int[] interruptions = new int[DEEPEST];

  /** Thread that the running thread has woken here since the last switch. */
  private @Nullable Task woken;

  /** Makes a processor's stream, which takes memory, once there is something for it. */
  interface Streams {
    TrackStream open() throws IOException;
  }

  Processor(int track, int running, Streams streams, ThreadStates threads) {
    this.track = track;
    this.running = running;
    this.streams = streams;
    this.threads = threads;
  }

  private TrackStream stream() throws IOException {
    TrackStream open = stream;
    if (open == null) {
      open = streams.open();
      stream = open;
    }
    return open;
  }

  @Nullable Task current() {
    return current;
  }

  void woke(Task task) {
    woken = task;
  }

  /** Whether waking this thread was the running thread's last act. */
  boolean wokeLast(Task task) {
    return woken == task;
  }

  /**
   * Switches to another thread.
   *
   * @param method that stands for it, 0 = idle
   */
  void run(@Nullable Task task, int method, long clock) throws IOException {
    endInterrupts(clock);
    if (call != 0) {
      stream().leave(track, clock, call, 0);
    }
    if (method != 0) {
      stream().enter(track, clock, method);
    }
    call = method;
    current = task;
    woken = null;
  }

  /** It is no longer known what runs here. */
  void forget(long clock) throws IOException {
    run(null, 0, clock);
  }

  void interrupt(String stem, int method, int interruption, long clock) throws IOException {
    if (depth == DEEPEST) {
      return;
    }
    stems[depth] = stem;
    interrupts[depth] = method;
    interruptions[depth] = 0;
    stream().enter(track, clock, method);
    Task task = current;
    if (task != null && task.state == Task.State.RUNNING) {
      threads.enter(task, clock, interruption);
      interruptions[depth] = interruption;
    }
    depth++;
  }

  /** An interrupt ends, and so do those in it whose ends are not known. */
  void interruptEnds(String stem, long clock) throws IOException {
    int from = depth - 1;
    while (from >= 0 && !stem.equals(stems[from])) {
      from--;
    }
    while (from >= 0 && depth > from) {
      endInnermost(clock);
    }
  }

  private void endInterrupts(long clock) throws IOException {
    while (depth > 0) {
      endInnermost(clock);
    }
  }

  private void endInnermost(long clock) throws IOException {
    depth--;
    Task task = current;
    if (task != null && interruptions[depth] != 0) {
      threads.leave(task, clock, interruptions[depth], 0);
    }
    stream().leave(track, clock, interrupts[depth], 0);
  }

  /** Events of this processor are missing; where nothing was known, nothing is. */
  void lose(long count) throws IOException {
    TrackStream open = stream;
    if (open != null) {
      open.lose(count);
    }
  }

  void flush() throws IOException {
    TrackStream open = stream;
    if (open != null) {
      open.flush();
    }
  }

  /** Ends the file; what runs now is running at the end of the recording. */
  void close() throws IOException {
    TrackStream open = stream;
    if (open != null) {
      open.close();
    }
  }

  long written() {
    TrackStream open = stream;
    return open == null ? 0 : open.written();
  }
}
