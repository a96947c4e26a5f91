package dev.kymo.session.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts are found wherever they stand in a file, and only there. */
class ByteSearchTest {
  private static final int PIECE = 256 << 10;

  @TempDir Path folder;

  private boolean isIn(byte[] bytes, String... texts) throws IOException {
    Path file = Files.write(folder.resolve("file"), bytes);
    try (FileChannel channel = FileChannel.open(file)) {
      return new ByteSearch(texts).isIn(channel, channel.size());
    }
  }

  @Test
  void aRandomFileIsSearchedAsAStringIs() throws IOException {
    Random random = new Random(20261123);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) "\0ab".charAt(random.nextInt(3));
      }
      String text = new String(bytes, StandardCharsets.US_ASCII);
      boolean there = text.contains("\0ab\0") || text.contains("\0abba\0") || text.contains("bbbb");
      assertThat(isIn(bytes, "\0ab\0", "\0abba\0", "bbbb")).as(text).isEqualTo(there);
    }
  }

  @Test
  void aTextMayLieAcrossTwoPieces() throws IOException {
    byte[] text = "\0libkymo.so\0".getBytes(StandardCharsets.US_ASCII);
    for (int at = PIECE - 3 * text.length; at < PIECE + text.length; at++) {
      byte[] bytes = new byte[2 * PIECE];
      System.arraycopy(text, 0, bytes, at, text.length);
      assertThat(isIn(bytes, "\0libkymo.so\0", "\0longer text than that\0"))
          .as("at %d", at)
          .isTrue();
    }
    assertThat(isIn(new byte[3 * PIECE + 1], "\0libkymo.so\0")).isFalse();
  }
}
