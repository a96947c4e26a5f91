package dev.kymo.agent.waits;

import java.util.List;

/**
 * A source of waits that are over, and of the virtual machine's work: its tool interface or, where
 * that is wanted, its flight recorder. A program without the module {@code jdk.jfr} cannot load
 * classes that refer to the flight recorder.
 */
interface EventSource {
  /** Reads both clocks; must be called regularly. */
  void readClocks();

  /** Takes the states and events found since the last call. */
  List<State> take();

  /** Takes the threads' loads found since the last call. */
  List<Load> takeLoads();

  /** Clock value up to which everything has been handed out. */
  long complete();

  /** Whether the stream of events has ended by itself. */
  boolean isBroken();

  /** Number of events of the most frequent kind since the last call. */
  int commonest();

  /** Stops recording that kind; returns its name. */
  String dropCommonest();

  /** Ends it as soon as all events so far can be taken. */
  void close();
}
