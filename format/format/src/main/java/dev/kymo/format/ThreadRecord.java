package dev.kymo.format;

/**
 * Records of a {@link StreamClass#THREADS} stream.
 *
 * <pre>
 *   compact, 8 bytes, one little-endian word
 *     bits  0-7   id 0..254
 *     bits  8-39  low 32 bits of the clock
 *     bits 40-63  payload: method or thread
 *
 *   extended, 16 bytes: written when the clock's high half differs from the previous record's, so
 *   that a reader, which carries it forward, never has to guess how often the low half wrapped
 *     byte  0     255
 *     bytes 1-4   id
 *     bytes 5-12  the whole clock
 *     bytes 13-15 payload
 *
 *   a DETAIL's word, compact or extended, is followed by 8 bytes more: {@link #detail}
 *
 *   an EVENT's by its argument, 8 bytes; an EVENT_DATA's by
 *     bytes 0-3   length of the data
 *     bytes 4-7   size: the length rounded up to a multiple of 8
 *     bytes 8-    the data, then zeroes
 * </pre>
 */
public final class ThreadRecord {
  /** A call begins; payload: method. */
  public static final int ENTER = 0;

  /** A call returns; payload: method. */
  public static final int LEAVE = 1;

  /** A call ends by an exception; payload: method. */
  public static final int UNWIND = 2;

  /** The records that follow belong to another thread; payload: that thread. */
  public static final int SWITCH = 3;

  /**
   * More about the innermost open call, on a track of states; payload: nothing. It comes directly
   * before the LEAVE or, if there is none before the end of the recording, is the track's last
   * record.
   */
  public static final int DETAIL = 4;

  /** An event of the program's own, with a number as argument; payload: event. */
  public static final int EVENT = 5;

  /** An event of the program's own, with other data; payload: event. */
  public static final int EVENT_DATA = 6;

  /** Ids from here on have no meaning in this version. */
  public static final int ID_COUNT = 7;

  /** Bytes after the word of a {@link #DETAIL}. */
  public static final int DETAIL_SIZE = 8;

  /** Bytes after the word of an {@link #EVENT}. */
  public static final int ARGUMENT_SIZE = 8;

  /** Bytes after the word of an {@link #EVENT_DATA}, without the data. */
  public static final int DATA_HEADER_SIZE = 8;

  /** Maximum data size in bytes. */
  public static final int MAX_DATA = 64 * 1024;

  /** In the id's place: an extended record. */
  public static final int EXTENDED = 255;

  public static final int COMPACT_SIZE = 8;
  public static final int EXTENDED_SIZE = 16;

  /** Largest payload: 24 bits. */
  public static final int MAX_PAYLOAD = 0xFFFFFF;

  private static final long CLOCK_BITS = 0xFFFFFFFF00L;

  private ThreadRecord() {}

  public static long compact(int id, long clock, int payload) {
    return ((long) payload << 40) | (clock << 8 & CLOCK_BITS) | id;
  }

  /** First word of an extended record. */
  public static long extendedFirst(int id, long clock) {
    return EXTENDED | ((long) id << 8) | (clock << 40);
  }

  /** Second word of an extended record. */
  public static long extendedSecond(long clock, int payload) {
    return (clock >>> 24) | ((long) payload << 40);
  }

  /**
   * The bytes that follow a DETAIL's word.
   *
   * @param object identity of the object that was waited for, 0 if unknown
   * @param other track of states of the thread that let this thread go on, or has the object (if it
   *     goes on: had it); 0 if unknown
   */
  public static long detail(int object, int other) {
    return (object & 0xFFFFFFFFL) | ((long) other << 32);
  }

  /** Identity of the object in a detail. */
  public static int detailObject(long detail) {
    return (int) detail;
  }

  /** The other thread's track of states in a detail. */
  public static int detailOther(long detail) {
    return (int) (detail >>> 32);
  }

  /** The bytes between the word of an {@link #EVENT_DATA} and its data. */
  public static long dataHeader(int length) {
    return length | (long) dataSize(length) << 32;
  }

  /** Bytes that data takes in a record. */
  public static int dataSize(int length) {
    return (length + 7) & -8;
  }

  /** Bytes after the word of an {@link #EVENT_DATA} whose data header is given; 0 = damaged. */
  public static int sizeBehindWord(long dataHeader) {
    int length = (int) dataHeader;
    boolean sound =
        length >= 0 && length <= MAX_DATA && (int) (dataHeader >>> 32) == dataSize(length);
    return sound ? DATA_HEADER_SIZE + dataSize(length) : 0;
  }

  /** Id of a compact record, or {@link #EXTENDED}. */
  public static int id(long word) {
    return (int) word & 0xFF;
  }

  /** Low half of the clock of a compact record. */
  public static int clockLow(long word) {
    return (int) (word >>> 8);
  }

  /** Payload of a compact record, or of an extended one's second word. */
  public static int payload(long word) {
    return (int) (word >>> 40);
  }

  /** Id of an extended record, from its first word. */
  public static int extendedId(long first) {
    return (int) (first >>> 8);
  }

  public static long extendedClock(long first, long second) {
    return (first >>> 40) | (second << 24);
  }

  /**
   * The whole clock of a compact record.
   *
   * @param before clock of the record before it in the stream, or of the packet's begin
   * @param low low half as the record has it
   */
  public static long clock(long before, int low) {
    long clock = (before & 0xFFFFFFFF00000000L) | (low & 0xFFFFFFFFL);
    return clock < before ? clock + 0x100000000L : clock;
  }
}
