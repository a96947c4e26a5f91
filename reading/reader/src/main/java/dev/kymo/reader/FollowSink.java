package dev.kymo.reader;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;

/** Takes what a {@link Follower} reads: each definition before the first event that uses it. */
public interface FollowSink extends EventSink {
  /**
   * Takes a definition; a later one of the same kind and number replaces it.
   *
   * @param process in whose stream it stands, 0 for the recorder's
   */
  void definition(int process, long clock, Definition definition);

  /**
   * What comes next, events and losses, is from this stream.
   *
   * @param number in {@link Recording#threadStreams()}
   */
  default void stream(int number) {}

  /** Takes the counts of a thread, method and mode since the recording began. */
  default void count(int process, long clock, CountRecord count) {}
}
