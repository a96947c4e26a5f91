package dev.kymo.reader;

import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Events of one thread, one after the other in one packet. Arrays, not one call for each event,
 * because reading speed depends on the loops over them.
 *
 * <p>An event's word is {@code payload << 8 | id} with the ids of {@link ThreadRecord}. The payload
 * of a {@link ThreadRecord#DETAIL} is the place in {@link #details()} of what follows it. For an
 * {@link ThreadRecord#EVENT} or {@link ThreadRecord#EVENT_DATA}, use {@link #event}, {@link
 * #argument} and {@link #data}.
 */
public final class EventBatch {
  /** Events that a batch holds by default. */
  private static final int CAPACITY = 4096;

  private static final long[] NONE = {};

  final long[] clocks;
  final int[] words;
  int count;
  private long[] details = NONE;
  private int detailCount;
  private byte[] data = {};
  private int dataSize;
  int process;
  int thread;
  int stream;
  long offset;
  long packetOffset;
  long packetFloor;
  boolean start;
  boolean begun;

  public EventBatch() {
    this(CAPACITY);
  }

  EventBatch(int capacity) {
    clocks = new long[capacity];
    words = new int[capacity];
  }

  void copy(EventBatch from, int begin, int end) {
    System.arraycopy(from.clocks, begin, clocks, 0, end - begin);
    System.arraycopy(from.words, begin, words, 0, end - begin);
    count = end - begin;
    details = from.details;
    detailCount = from.detailCount;
    data = from.data;
    process = from.process;
    thread = from.thread;
    stream = from.stream;
    offset = from.offset;
    packetOffset = from.packetOffset;
    packetFloor = from.packetFloor;
    start = from.start && begin == 0;
    begun = from.begun;
  }

  void clear() {
    count = 0;
    detailCount = 0;
    dataSize = 0;
  }

  /** Appends a detail and what follows its word. */
  void addDetail(long clock, long detail) {
    add(clock, ThreadRecord.DETAIL);
    detail(detail);
  }

  void addEvent(long clock, int event, long argument) {
    add(clock, ThreadRecord.EVENT);
    detail(event);
    detail(argument);
  }

  /** Appends an event with the data that are next in a buffer. */
  void addEvent(long clock, int event, int length, ByteBuffer from) {
    add(clock, ThreadRecord.EVENT_DATA);
    detail(event | (long) length << 32);
    detail(dataSize);
    if (data.length - dataSize < length) {
      data = Arrays.copyOf(data, Math.max(dataSize + length, data.length * 2));
    }
    from.get(data, dataSize, length);
    dataSize += length;
  }

  private void add(long clock, int id) {
    clocks[count] = clock;
    words[count++] = (detailCount << 8) | id;
  }

  private void detail(long detail) {
    if (detailCount == details.length) {
      details = Arrays.copyOf(details, Math.max(16, detailCount * 2));
    }
    details[detailCount++] = detail;
  }

  /** Whether a word is that of a user event. */
  public static boolean isEvent(int word) {
    return id(word) == ThreadRecord.EVENT || id(word) == ThreadRecord.EVENT_DATA;
  }

  /** Number, in its process, of the event with this word. */
  public int event(int word) {
    return (int) details[payload(word)];
  }

  /** Argument of the {@link ThreadRecord#EVENT} with this word. */
  public long argument(int word) {
    return details[payload(word) + 1];
  }

  /** Data of the {@link ThreadRecord#EVENT_DATA} with this word; little-endian, to be read once. */
  public ByteBuffer data(int word) {
    int length = (int) (details[payload(word)] >>> 32);
    return ByteBuffer.wrap(data, (int) details[payload(word) + 1], length)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  public int count() {
    return count;
  }

  /** Clocks of the events; the first {@link #count()} elements count. */
  public long[] clocks() {
    return clocks;
  }

  /** {@code payload << 8 | id} of the events; the first {@link #count()} elements count. */
  public int[] words() {
    return words;
  }

  /** Whether there may be details or user events among the events. */
  public boolean hasDetails() {
    return detailCount > 0;
  }

  /** What follows the words of details, by their payload; something else follows other words. */
  public long[] details() {
    return details;
  }

  /** Number of the process in the recording. */
  public int process() {
    return process;
  }

  /** Number of the thread in its process. */
  public int thread() {
    return thread;
  }

  /** Index in {@link Recording#threadStreams()}. */
  public int stream() {
    return stream;
  }

  /** Where in the file the first record is. */
  public long offset() {
    return offset;
  }

  /** Where in the file the packet is. */
  public long packetOffset() {
    return packetOffset;
  }

  /** Clock before which no event of the packet can be. A later pass needs it to continue here. */
  public long packetFloor() {
    return packetFloor;
  }

  /** Whether these are the first events of their packet, or begin with a switch. */
  public boolean start() {
    return start;
  }

  /** Whether calls entered here began earlier, at a time that the recording does not know. */
  public boolean begun() {
    return begun;
  }

  public static int id(int word) {
    return word & 0xFF;
  }

  /** Method or thread in a word, or where a detail is. */
  public static int payload(int word) {
    return word >>> 8;
  }
}
