package dev.kymo.agent;

import org.jspecify.annotations.Nullable;

/**
 * Something that is over: what a thread waited for, or what the virtual machine did. Times are the
 * recording's clock.
 *
 * @param thread number of the thread in Java; 0 for the virtual machine
 * @param track name of the thread, or of what the virtual machine does
 * @param kind of waiting, or the same as {@code track}
 * @param name class of what was waited for, or what was done
 * @param object identity of what was waited for, 0 if unknown
 * @param other number of the thread that let this one go on, or for which the virtual machine did
 *     it; 0 if unknown
 */
record State(
    long thread,
    String track,
    long begin,
    long end,
    String kind,
    String name,
    int object,
    long other,
    @Nullable String otherName) {

  /** Something that the virtual machine did. */
  static State ofMachine(String track, long begin, long end, String what) {
    return ofMachine(track, begin, end, what, 0, null);
  }

  /** Something that the virtual machine did for a thread. */
  static State ofMachine(
      String track, long begin, long end, String what, long other, @Nullable String otherName) {
    return new State(0, track, begin, end, track, what, 0, other, otherName);
  }

  /** The same at another time. */
  State at(long newBegin, long newEnd) {
    return new State(thread, track, newBegin, newEnd, kind, name, object, other, otherName);
  }

  boolean isOfMachine() {
    return thread == 0;
  }
}
