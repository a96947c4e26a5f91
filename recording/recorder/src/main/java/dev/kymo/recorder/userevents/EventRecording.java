package dev.kymo.recorder.userevents;

import dev.kymo.format.Definition;
import dev.kymo.recorder.ring.RecorderState;

/** The requests that the program's own events can make to the recording of this process. */
public interface EventRecording extends RecorderState {
  /** Whether events are recorded now, as far as they are switched on. */
  boolean recordsEvents();

  void define(Definition definition);

  void notice(String text);

  /** Counts an event that is not recorded. */
  void lose();

  /** Goes on recording, or begins. */
  void resume();

  /**
   * Records nothing until {@link #resume}.
   *
   * @param by what stopped it
   */
  void pause(String by);

  /** Asks for a snapshot of the flight recorder. */
  void snapshot();

  /**
   * Executes a line; returns the answer.
   *
   * @param by who gave the command
   */
  String execute(String line, String by);
}
