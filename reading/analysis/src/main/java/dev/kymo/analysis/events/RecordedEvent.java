package dev.kymo.analysis.events;

/**
 * Something that happened, as a list has it. Times are nanoseconds since the recording's begin.
 *
 * @param track where it happened; of a wait that was ended, the track of that state
 * @param depth of the call or state; {@link NearestEvent#DEPTH} of a user event
 * @param method number of the method, state or kind of event; -1 of a loss or a kernel event
 * @param kind one of the constants
 * @param duration nanoseconds: of the call or state, of the message on its way (negative if clocks
 *     differ), of the time in which events were lost; else 0
 * @param other track of who ended the state or has what it waits for, or of the other end of a
 *     message; -1 = unknown
 * @param object identity of what was waited for, 0 = unknown
 * @param name of a kernel event; else empty, methods have names
 * @param text its data in words; the end is cut off if that is very long
 */
public record RecordedEvent(
    long time,
    int track,
    int depth,
    int method,
    int kind,
    long duration,
    int other,
    int object,
    String name,
    String text) {
  /** A call began. */
  public static final int ENTER = 0;

  /** A call returned. */
  public static final int LEAVE = 1;

  /** A call ended by an exception. */
  public static final int UNWIND = 2;

  /** A state began: of a thread, a processor or the virtual machine. */
  public static final int STATE = 3;

  /** A state ended, and it is known who ended it. */
  public static final int WOKEN = 4;

  /** A user event; of one that begins or ends something, its data. */
  public static final int EVENT = 5;

  /** A user counter has a value. */
  public static final int COUNTER = 6;

  /** A message was sent. */
  public static final int SENT = 7;

  /** A message was received. */
  public static final int RECEIVED = 8;

  /** Events were lost from here on; the text is their number, empty if nobody knows it. */
  public static final int LOST = 9;

  /** An event of the kernel's on a processor, as the kernel has it. */
  public static final int KERNEL = 10;

  private static final int MAX_TEXT = 300;

  /** An event that concerns no other track. */
  static RecordedEvent of(
      long time, int track, int depth, int method, int kind, long duration, String text) {
    return new RecordedEvent(time, track, depth, method, kind, duration, -1, 0, "", cut(text));
  }

  /** An event of the kernel's. */
  static RecordedEvent ofKernel(long time, int track, String name, String text) {
    return new RecordedEvent(
        time, track, NearestEvent.DEPTH, -1, KERNEL, 0, -1, 0, name, cut(text));
  }

  /** The same, with the other end of the message. */
  RecordedEvent message(int otherTrack, long took) {
    return new RecordedEvent(
        time, track, depth, method, kind, took, otherTrack, object, name, text);
  }

  /** The same, with who has to do with the state. */
  RecordedEvent with(int otherTrack, int ofObject) {
    return new RecordedEvent(
        time, track, depth, method, kind, duration, otherTrack, ofObject, name, text);
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + '…';
  }
}
