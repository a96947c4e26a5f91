package dev.kymo.recorder.messages;

import dev.kymo.format.EventKind;
import dev.kymo.recorder.userevents.UserEvents;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Names the requests and answers of HTTP that go through a connection: of HTTP/1, where a call
 * writes or reads bytes that begin with one; of HTTP/2, wherever they are ({@link Http2Frames}). A
 * request has a number that both ends find out by themselves, as it is made of its place; an answer
 * has that of its request.
 *
 * <p>One thread may write while another one reads. As long as what is written has its name before
 * it is written, and what is read afterwards, each request has its name before its answer.
 */
final class HttpNames {
  private static final int REQUEST = 0;
  private static final int ANSWER = 1;

  /** The events' numbers, 0 if they are not recorded; {@link UserEvents} writes them. */
  private static final int[] NUMBERS = new int[2];

  private static final int PLACE_SIZE = 3 * Long.BYTES;
  private static final String PLACE = "u64 request; u64 stream; u64 position; ";

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /** Spreads positions over all numbers. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private static final long NONE = 0;

  /** Less bytes have no name. */
  private static final int SHORTEST = 9;

  /** The request that was not answered so far. */
  private volatile long pending;

  /**
   * Whether requests do not wait for answers. Then it is not known which answer is whose, because
   * an answer that does not begin what a call reads is not seen.
   */
  private volatile boolean isPipelined;

  static void define() {
    Object[][] events = {
      {
        REQUEST,
        "request",
        EventKind.INSTANT.number(),
        "",
        "A request was written or read",
        PLACE + "str method; str path;"
      },
      {
        ANSWER,
        "answer",
        EventKind.INSTANT.number(),
        "",
        "An answer was written or read",
        PLACE + "u16 status;"
      }
    };
    UserEvents.define(new Object[] {"http", 0, "sockets", "", events, NUMBERS});
  }

  /** Whether anything is named. */
  static boolean areOn() {
    return (NUMBERS[REQUEST] | NUMBERS[ANSWER]) != 0;
  }

  /**
   * Whether bytes may have a name that begin with four such ones.
   *
   * @param first the bytes, the first one lowest
   */
  static boolean mayBegin(int first) {
    return HttpLine.mayBegin(first) || Http2Frames.mayBegin(first);
  }

  /** Whether so many bytes may have a name. */
  static boolean areEnough(long bytes) {
    return bytes >= SHORTEST && areOn();
  }

  /** What an event says about bytes. */
  static final class Name {
    private final int event;
    private final byte[] data;
    private final int length;

    private Name(int event, byte[] data, int length) {
      this.event = event;
      this.data = data;
      this.length = length;
    }

    /** Records it, if it is to be. */
    void record() {
      UserEvents.data(NUMBERS[event], data, length);
    }

    /** Likewise, with the time at which the call began. */
    void recordSinceMark() {
      UserEvents.dataSinceMark(NUMBERS[event], data, length);
    }
  }

  /**
   * The name of a line that bytes begin with.
   *
   * @param position of the first byte
   */
  Name name(HttpLine line, long stream, long position) {
    long request =
        line.status() == 0 ? asked(line, stream + (position + 1) * GOLDEN) : answered(line);
    return name(line, request, stream, position);
  }

  /** The name of what has a request's number; bytes of it are at a position of a stream. */
  static Name name(HttpLine line, long request, long stream, long position) {
    boolean isAnswer = line.status() != 0;
    byte[] data = new byte[PLACE_SIZE + (isAnswer ? Short.BYTES : requestRoom(line))];
    LONG.set(data, 0, request);
    LONG.set(data, Long.BYTES, stream);
    LONG.set(data, 2 * Long.BYTES, position);
    if (isAnswer) {
      SHORT.set(data, PLACE_SIZE, (short) line.status());
      return new Name(ANSWER, data, data.length);
    }
    return new Name(REQUEST, data, put(line, data));
  }

  /**
   * The number of a request of HTTP/2, at both ends.
   *
   * @param stream of what the client sends
   * @param id which it is in there
   */
  static long number(long stream, int id) {
    return stream - (id + 1) * GOLDEN;
  }

  /** The number of the request of HTTP/1 that was not answered so far; 0 if it is not known. */
  long pending() {
    return isPipelined ? NONE : pending;
  }

  private static int requestRoom(HttpLine line) {
    return 2 * Short.BYTES + line.method() + line.pathRoom();
  }

  /** Puts method and path behind the place; returns the length. */
  private static int put(HttpLine line, byte[] data) {
    int method = line.method();
    SHORT.set(data, PLACE_SIZE, (short) method);
    System.arraycopy(line.bytes(), 0, data, PLACE_SIZE + Short.BYTES, method);
    int path = PLACE_SIZE + Short.BYTES + method;
    int end = line.putPath(data, path + Short.BYTES);
    SHORT.set(data, path, (short) (end - path - Short.BYTES));
    return end;
  }

  /** A write that did not write anything is tried again. */
  private long asked(HttpLine line, long request) {
    isPipelined |= line.hasMore() || (pending != NONE && pending != request);
    pending = request;
    return request;
  }

  private long answered(HttpLine line) {
    long request = pending();
    isPipelined |= line.hasMore();
    if (line.isFinal()) {
      pending = NONE;
    }
    return request;
  }
}
