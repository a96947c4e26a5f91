package dev.kymo.recorder.messages;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a request or of an answer of HTTP/1, found without making texts of it. Nothing
 * of what the bytes say is trusted: they may be anything that a program sends, such as a part of a
 * file.
 *
 * @param bytes what the line was found in
 * @param method length of a request's method, which the bytes begin with; 0 for an answer
 * @param path where the path begins
 * @param end where it ends, without its query
 * @param status of an answer; 0 for a request
 * @param hasMore whether another one begins in the same bytes, after its head
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpLine(byte[] bytes, int method, int path, int end, int status, boolean hasMore) {
  /** At most this many bytes are looked at. */
  static final int LOOKED_AT = 2048;

  /** The shortest line begins with these many bytes: {@code HTTP/1.1 200}. */
  private static final int SHORTEST = 12;

  private static final int LONGEST_METHOD = 64;
  private static final int LONGEST_PATH = 1000;
  private static final byte[] VERSION = bytes("HTTP/1.");
  private static final byte[] HEAD_END = bytes("\r\n\r\n");
  private static final byte[] HOST = bytes("://");
  private static final int STATUS_AT = 9;
  private static final int LEAST_STATUS = 100;
  private static final int FIRST_FINAL = 200;
  private static final int SWITCHED = 101;
  private static final byte[] HTTP_2 = bytes("h2c");

  private static final byte[] NOTHING = {};
  private static final byte[] HEX = bytes("0123456789ABCDEF");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * Whether a line may begin with four bytes.
   *
   * @param first the bytes, the first one lowest
   */
  static boolean mayBegin(int first) {
    return first == 0x50545448 || methodLength(first) > 0; // HTTP
  }

  private static int methodLength(int first) {
    return switch (first) {
      case 0x20544547 -> "GET".length();
      case 0x20545550 -> "PUT".length();
      case 0x54534F50 -> "POST".length();
      case 0x44414548 -> "HEAD".length();
      case 0x454C4544 -> "DELETE".length();
      case 0x43544150 -> "PATCH".length();
      case 0x43415254 -> "TRACE".length();
      case 0x4954504F -> "OPTIONS".length();
      case 0x4E4E4F43 -> "CONNECT".length();
      default -> 0;
    };
  }

  /** Four bytes as {@link #mayBegin} takes them; 0 if there are less. */
  static int first(byte[] bytes, int at) {
    return at > bytes.length - Integer.BYTES
        ? 0
        : (bytes[at] & 0xFF)
            | (bytes[at + 1] & 0xFF) << 8
            | (bytes[at + 2] & 0xFF) << 16
            | (bytes[at + 3] & 0xFF) << 24;
  }

  /** The line that bytes begin with; null if there is none, or only its begin. */
  static @Nullable HttpLine of(byte[] bytes) {
    int method = methodLength(first(bytes, 0));
    return method == 0 ? answer(bytes, 0) : request(bytes, method);
  }

  /** Whether a request of HTTP/2 may have such a method. */
  static boolean isMethod(byte[] method) {
    for (byte b : method) {
      if (!isOfTarget(b) || b < 0) {
        return false;
      }
    }
    return method.length > 0 && method.length <= LONGEST_METHOD;
  }

  /** The same of a request of HTTP/2, whose path may have a query. */
  static HttpLine request(byte[] method, byte[] path) {
    byte[] bytes = Arrays.copyOf(method, method.length + path.length);
    System.arraycopy(path, 0, bytes, method.length, path.length);
    int end = method.length;
    while (end < bytes.length && isOfTarget(bytes[end]) && bytes[end] != '?' && bytes[end] != '#') {
      end++;
    }
    return new HttpLine(bytes, method.length, method.length, end, 0, false);
  }

  /** The same of an answer of HTTP/2. */
  static HttpLine answer(int status) {
    return new HttpLine(NOTHING, 0, 0, 0, status, false);
  }

  /** Whether the answer is the last one to its request. */
  boolean isFinal() {
    return status >= FIRST_FINAL || status == SWITCHED;
  }

  private static @Nullable HttpLine answer(byte[] bytes, int begin) {
    if (bytes.length - begin < SHORTEST
        || !isAt(bytes, begin, VERSION)
        || bytes[begin + STATUS_AT - 1] != ' ') {
      return null;
    }
    int status = 0;
    for (int i = begin + STATUS_AT; i < begin + SHORTEST; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      status = status * 10 + digit;
    }
    if (status < LEAST_STATUS) {
      return null;
    }
    int next = next(bytes, begin + SHORTEST);
    HttpLine line = new HttpLine(bytes, 0, 0, 0, status, next > 0);
    HttpLine after = line.isFinal() || next == 0 ? null : answer(bytes, next);
    return after == null ? line : after;
  }

  private static @Nullable HttpLine request(byte[] bytes, int method) {
    int begin = method + 1;
    if (begin >= bytes.length || bytes[method] != ' ' || !hasWholeMethod(bytes, method)) {
      return null;
    }
    int query = -1;
    int end = begin;
    while (end < bytes.length && isOfTarget(bytes[end])) {
      if (query < 0 && (bytes[end] == '?' || bytes[end] == '#')) {
        query = end;
      }
      end++;
    }
    boolean isCut = end == LOOKED_AT;
    if (end == begin || !(isCut || isAt(bytes, end + 1, VERSION))) {
      return null;
    }
    int pathEnd = query < 0 ? end : query;
    boolean hasMore = next(bytes, end) > 0;
    return new HttpLine(bytes, method, pathBegin(bytes, begin, pathEnd), pathEnd, 0, hasMore);
  }

  /** Whether the letters after the first four, which are known, are such that a method is. */
  private static boolean hasWholeMethod(byte[] bytes, int method) {
    for (int i = Integer.BYTES; i < method; i++) {
      if (bytes[i] < 'A' || bytes[i] > 'Z') {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfTarget(byte b) {
    return b < 0 || (b > ' ' && b != 0x7F);
  }

  /** Where the path begins in a target; with a host, which a proxy is asked for, after that. */
  private static int pathBegin(byte[] bytes, int begin, int end) {
    if (begin < end && bytes[begin] == '/') {
      return begin;
    }
    int at = find(bytes, begin, end, HOST);
    if (at < 0) {
      return begin;
    }
    at += HOST.length;
    while (at < end && bytes[at] != '/') {
      at++;
    }
    return at;
  }

  /** Where another line begins after a head; 0 if none does, as far as can be seen. */
  private static int next(byte[] bytes, int from) {
    int end = find(bytes, from, bytes.length, HEAD_END);
    int next = end + HEAD_END.length;
    return end >= 0 && mayBegin(first(bytes, next)) ? next : 0;
  }

  private static int find(byte[] bytes, int from, int to, byte[] what) {
    for (int i = from; i <= to - what.length; i++) {
      if (bytes[i] == what[0] && isAt(bytes, i, what)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * How many bytes an answer has after which the connection goes on with HTTP/2; 0 if it does not.
   */
  int lengthBeforeHttp2() {
    int head = status == SWITCHED ? find(bytes, 0, bytes.length, HEAD_END) : -1;
    return head >= 0 && find(bytes, 0, head, HTTP_2) >= 0 ? head + HEAD_END.length : 0;
  }

  private static boolean isAt(byte[] bytes, int at, byte[] what) {
    if (at > bytes.length - what.length) {
      return false;
    }
    for (int i = 0; i < what.length; i++) {
      if (bytes[at + i] != what[i]) {
        return false;
      }
    }
    return true;
  }

  /** The most bytes that {@link #putPath} takes. */
  int pathRoom() {
    return 3 * Math.min(end - path, LONGEST_PATH) + 1;
  }

  /**
   * Puts the path into an array, in printable ASCII: other bytes as {@code %C3}.
   *
   * @return where it ends there
   */
  int putPath(byte[] into, int at) {
    int to = at;
    int last = Math.min(end, path + LONGEST_PATH);
    for (int i = path; i < last; i++) {
      byte b = bytes[i];
      if (b < 0) {
        into[to++] = '%';
        into[to++] = HEX[(b & 0xF0) >> 4];
        into[to++] = HEX[b & 0x0F];
      } else {
        into[to++] = b;
      }
    }
    if (path == end) {
      into[to++] = '/'; // only the host was named
    }
    return to;
  }
}
