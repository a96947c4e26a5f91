package dev.kymo.session.system;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Searches a large file for texts. Most bytes are skipped: the byte under the end of the shortest
 * text says how far away the next place is where any text can begin.
 */
public final class ByteSearch {
  private static final int PIECE = 256 << 10;

  private final byte[][] texts;
  private final int shortest;
  private final int longest;

  /** How far to advance, by the byte under the end of the shortest text. */
  private final int[] steps = new int[1 << Byte.SIZE];

  /** Searches for these texts in ASCII. */
  public ByteSearch(String... texts) {
    this.texts = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      this.texts[i] = texts[i].getBytes(StandardCharsets.US_ASCII);
    }
    this.shortest = Arrays.stream(this.texts).mapToInt(text -> text.length).min().orElse(1);
    this.longest = Arrays.stream(this.texts).mapToInt(text -> text.length).max().orElse(1);
    Arrays.fill(steps, shortest);
    for (byte[] text : this.texts) {
      for (int at = 0; at < shortest - 1; at++) {
        int unsigned = Byte.toUnsignedInt(text[at]);
        steps[unsigned] = Math.min(steps[unsigned], shortest - 1 - at);
      }
    }
  }

  /** Whether any text is in the first {@code size} bytes of a file. */
  public boolean isIn(FileChannel channel, long size) throws IOException {
    // Read, not mapped: mapping takes longer to set up than reading most programs.
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(size, PIECE));
    for (long from = 0; from < size; from += PIECE - longest) {
      if (isIn(ElfFile.fill(bytes.clear(), channel, from))) {
        return true;
      }
    }
    return false;
  }

  private boolean isIn(ByteBuffer bytes) {
    int end = bytes.limit();
    for (int at = 0; at + shortest <= end; at += steps[bytes.get(at + shortest - 1) & 0xFF]) {
      for (byte[] text : texts) {
        if (isAt(bytes, at, text)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isAt(ByteBuffer bytes, int at, byte[] text) {
    int same = 0;
    while (same < text.length && at + same < bytes.limit() && bytes.get(at + same) == text[same]) {
      same++;
    }
    return same == text.length;
  }
}
