package dev.kymo.recorder.messages;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the requests or the answers in what one end of a connection sends by HTTP/2 (RFC 9113),
 * whose bytes come in any pieces. One that is damaged, or of which a part was not seen, has no more
 * names.
 */
final class Http2Frames {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  /** The first bytes of the preface, and of a server's settings without their length. */
  private static final int PREFACE_FIRST = 0x20495250;

  private static final int SETTINGS_FIRST = 0x04000000;
  private static final int SETTINGS_MASK = 0xFF00FFFF;
  private static final int SETTING_SIZE = 6;

  private static final int HEAD_SIZE = 9;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int PROMISE = 5;
  private static final int CONTINUATION = 9;

  private static final int END_HEADERS = 0x4;
  private static final int PADDED = 0x8;
  private static final int PRIORITIZED = 0x20;
  private static final int PRIORITY_SIZE = 5;
  private static final int PROMISED_SIZE = 4;

  private static final int LONGEST_BLOCK = 1 << 16;

  /** A request or an answer. */
  static final class Found {
    final int id;
    final HttpLine line;

    private Found(int id, HttpLine line) {
      this.id = id;
      this.line = line;
    }
  }

  private final boolean isClient;
  private final Headers headers = new Headers();

  /** Bytes that come next and are of no interest. */
  private long skipped;

  private final byte[] head = new byte[HEAD_SIZE];
  private int headLength;

  /** Bytes of the frame's content that are still to come into the block. */
  private int missing;

  /** Where the frame's content begins in the block, which may be of several frames. */
  private int begin;

  private byte[] block = {};
  private int blockLength;

  /** The frame in which the block began: its kind, and number of the request or promise. */
  private int kind;

  private int id;
  private boolean isDamaged;

  private Http2Frames(boolean isClient, long skipped) {
    this.isClient = isClient;
    this.skipped = skipped;
  }

  /**
   * Whether they may begin with four bytes.
   *
   * @param first the bytes, the first one lowest
   */
  static boolean mayBegin(int first) {
    return first == PREFACE_FIRST || (first & SETTINGS_MASK) == SETTINGS_FIRST;
  }

  /** What a client or a server sends first; null if it does not begin with that. */
  static @Nullable Http2Frames of(byte[] bytes, boolean isFirst) {
    int size = Math.min(bytes.length, PREFACE.length);
    if (size == PREFACE.length && Arrays.equals(bytes, 0, size, PREFACE, 0, size)) {
      return new Http2Frames(true, PREFACE.length);
    }
    return isFirst && isSettings(bytes) ? new Http2Frames(false, 0) : null;
  }

  /** What a server sends after an answer of HTTP/1 with so many bytes. */
  static Http2Frames after(int bytes) {
    return new Http2Frames(false, bytes);
  }

  private static boolean isSettings(byte[] bytes) {
    if (bytes.length < HEAD_SIZE || bytes[3] != SETTINGS) {
      return false;
    }
    boolean isPlain = (bytes[4] | bytes[5] | bytes[6] | bytes[7] | bytes[8]) == 0;
    return isPlain && int24(bytes, 0) % SETTING_SIZE == 0;
  }

  /** Whether it is what the client sends, with requests; otherwise it has answers. */
  boolean isClient() {
    return isClient;
  }

  /** Bytes follow that nobody can see. */
  void unseen(long bytes) {
    isDamaged |= bytes > skipped;
    skipped -= bytes;
  }

  /** What begins or ends in bytes that follow. */
  List<Found> next(Content content, int length) {
    List<Found> found = new ArrayList<>(1);
    int at = 0;
    while (at < length && !isDamaged) {
      int rest = length - at;
      if (skipped > 0) {
        int part = (int) Math.min(rest, skipped);
        skipped -= part;
        at += part;
      } else if (missing > 0) {
        int part = Math.min(rest, missing);
        content.copy(at, block, blockLength, part);
        blockLength += part;
        missing -= part;
        at += part;
        endIfComplete(found);
      } else {
        int part = Math.min(rest, HEAD_SIZE - headLength);
        content.copy(at, head, headLength, part);
        headLength += part;
        at += part;
        if (headLength == HEAD_SIZE) {
          headLength = 0;
          beginFrame(found);
        }
      }
    }
    return found;
  }

  private static int int24(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) << 16 | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF);
  }

  private void beginFrame(List<Found> found) {
    int length = int24(head, 0);
    int type = head[3];
    if (type == HEADERS || type == PROMISE) {
      kind = type;
      id = (head[5] & 0x7F) << 24 | int24(head, 6);
      blockLength = 0;
    } else if (type != CONTINUATION) {
      skipped = length;
      return;
    }
    if (blockLength + length > LONGEST_BLOCK) {
      isDamaged = true;
      return;
    }
    block = Arrays.copyOf(block, Math.max(block.length, blockLength + length));
    begin = blockLength;
    missing = length;
    endIfComplete(found);
  }

  private void endIfComplete(List<Found> found) {
    if (missing > 0) {
      return;
    }
    removeWhatIsNoHeader();
    if (!isDamaged && (head[4] & END_HEADERS) != 0) {
      isDamaged = !headers.read(block, blockLength);
      if (!isDamaged && kind == HEADERS) {
        add(found);
      }
      blockLength = 0;
    }
  }

  /** What comes before the headers of a frame, and fills it up after them. */
  private void removeWhatIsNoHeader() {
    if (head[3] == CONTINUATION) {
      return;
    }
    int flags = head[4];
    boolean isPadded = (flags & PADDED) != 0;
    int before = isPadded ? 1 : 0;
    int padding = isPadded && blockLength > begin ? block[begin] & 0xFF : 0;
    if (head[3] == PROMISE) {
      before += PROMISED_SIZE;
    } else if ((flags & PRIORITIZED) != 0) {
      before += PRIORITY_SIZE;
    }
    int length = blockLength - begin - before - padding;
    if (length < 0) {
      isDamaged = true;
      return;
    }
    System.arraycopy(block, begin + before, block, begin, length);
    blockLength = begin + length;
  }

  private void add(List<Found> found) {
    byte[] method = headers.method();
    if (isClient && method != null && HttpLine.isMethod(method)) {
      byte[] path = headers.path();
      found.add(new Found(id, HttpLine.request(method, path == null ? new byte[0] : path)));
    } else if (!isClient && headers.status() != 0) {
      found.add(new Found(id, HttpLine.answer(headers.status())));
    }
  }
}
