package dev.kymo.importers.target;

import java.util.List;

/**
 * Something that happened on a track, as it waits to be sorted.
 *
 * @param clock when
 * @param track index among the target's tracks; {@link #KERNEL} = an event of the kernel
 * @param kind what
 * @param id function, event or kind of kernel event; -1 = the innermost call; of a kernel's loss
 *     the processor
 * @param value argument of an event; track of the thread that ended a state; number lost; processor
 *     of a kernel event
 * @param end of a call; {@link #OPEN} = its end comes by itself
 * @param data of an event; empty if it has none
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them, and nobody changes the bytes
record Happening(long clock, int track, Kind kind, int id, long value, long end, byte[] data) {
  static final int KERNEL = -1;
  static final long OPEN = Long.MAX_VALUE;
  static final byte[] NO_DATA = {};
  private static final List<Kind> KINDS = List.of(Kind.values());

  /** What can happen. */
  enum Kind {
    /** A call begins. */
    ENTER,
    /** A call begins that is an event with a number as argument. */
    ENTER_EVENT,
    /** A call begins that is an event with data. */
    ENTER_DATA,
    LEAVE,
    UNWIND,
    EVENT,
    DATA,
    LOSS
  }

  /** Its kind as a number in a temporary file. */
  int kindNumber() {
    return KINDS.indexOf(kind);
  }

  static Kind kind(int number) {
    return KINDS.get(number);
  }

  /** Whether a call begins whose end is known. */
  boolean isWholeCall() {
    return end != OPEN;
  }

  /** An event that begins a call. */
  Happening entering(long callEnd) {
    Kind enter = kind == Kind.EVENT ? Kind.ENTER_EVENT : Kind.ENTER_DATA;
    return new Happening(clock, track, enter, id, value, callEnd, data);
  }
}
