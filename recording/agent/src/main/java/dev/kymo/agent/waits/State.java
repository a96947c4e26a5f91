package dev.kymo.agent.waits;

import org.jspecify.annotations.Nullable;

/**
 * A state that is over: a thread's wait, or an activity of the virtual machine. Times are of the
 * recording's clock.
 *
 * @param thread number of the thread in Java; 0 for the virtual machine
 * @param track name of the thread, or of the virtual machine's activity
 * @param kind of wait, or the same as {@code track}
 * @param name class of the object that was waited for, or the activity
 * @param object identity of the object that was waited for, 0 if unknown
 * @param other number of the thread that let this thread go on, or for which the virtual machine
 *     acted; 0 if unknown
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

  static State ofMachine(String track, long begin, long end, String what) {
    return ofMachine(track, begin, end, what, 0, null);
  }

  static State ofMachine(
      String track, long begin, long end, String what, long other, @Nullable String otherName) {
    return new State(0, track, begin, end, track, what, 0, other, otherName);
  }

  State at(long newBegin, long newEnd) {
    return new State(thread, track, newBegin, newEnd, kind, name, object, other, otherName);
  }

  boolean isOfMachine() {
    return thread == 0;
  }
}
