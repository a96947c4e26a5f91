package dev.kymo.agent;

import java.util.List;

/**
 * The flight recorder, as far as it is needed here. An interface, because in a program without
 * module {@code jdk.jfr} nothing that refers to it can be loaded.
 */
interface EventSource {
  /** Reads both clocks; to be called all the time. */
  void readClocks();

  /** Takes what has become known since the last time. */
  List<State> take();

  /** Takes what threads' loads have become known since the last time. */
  List<Load> takeLoads();

  /** Clock up to which everything has been handed out. */
  long complete();

  /** Whether the stream of events has ended by itself. */
  boolean isBroken();

  /** Number of events of the commonest kind since the last time that it was asked for. */
  int commonest();

  /** Stops recording that kind; returns its name. */
  String dropCommonest();

  /** Ends it, when all events so far can be taken. */
  void close();
}
