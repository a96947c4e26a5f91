package dev.kymo.states;

import dev.kymo.format.Definition;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.TrackStream;
import java.io.IOException;

/** Writes the states of threads, one call after the other on each thread's track. */
final class ThreadStates {
  private final TrackStream stream;
  private final DefinitionFile definitions;
  private int tracks;

  /**
   * No tracks yet.
   *
   * @param tracks numbers that are already given
   */
  ThreadStates(TrackStream stream, DefinitionFile definitions, int tracks) {
    this.stream = stream;
    this.definitions = definitions;
    this.tracks = tracks;
  }

  /** Has the track of a thread. */
  int track(Task task, long clock) throws IOException {
    if (task.track == 0) {
      task.track = ++tracks;
      define(task, clock);
    }
    return task.track;
  }

  /** Sets the name of a thread. */
  void define(Task task, long clock) throws IOException {
    definitions.define(
        clock,
        new Definition.TracedThread(
            task.track, Definition.TracedThread.SCHEDULED, task.pid, task.tid, task.name));
  }

  /**
   * Ends the state of a thread, and begins another.
   *
   * @param method that stands for the new state
   * @param other track of the thread that ended the old state, 0 = unknown
   */
  void change(Task task, Task.State state, int method, long clock, int other) throws IOException {
    int track = track(task, clock);
    if (task.method != 0) {
      stream.leave(track, clock, task.method, other);
    }
    stream.enter(track, clock, method);
    task.state = state;
    task.method = method;
  }

  /** From here on it is unknown what a thread does. */
  void forget(Task task, long clock) throws IOException {
    if (task.method != 0) {
      stream.leave(task.track, clock, task.method, 0);
    }
    task.method = 0;
    task.state = Task.State.UNKNOWN;
    task.syscall = 0;
    task.faulted = false;
  }

  /** Something begins within a state. */
  void enter(Task task, long clock, int method) throws IOException {
    stream.enter(task.track, clock, method);
  }

  /** Something ends within a state. */
  void leave(Task task, long clock, int method, int other) throws IOException {
    stream.leave(task.track, clock, method, other);
  }

  void flush() throws IOException {
    stream.flush();
  }

  long written() {
    return stream.written();
  }

  void close() throws IOException {
    stream.close();
  }
}
