package dev.kymo.session.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes come back as they were, whatever they are. */
class RawTextTest {
  @TempDir Path folder;

  @Test
  void anyBytes() {
    long seed = Long.getLong("kymo.seed", System.nanoTime());
    System.out.println("RawTextTest seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(12) + 1];
      random.nextBytes(bytes);
      for (int k = 0; k < bytes.length; k++) {
        if (random.nextInt(3) == 0) {
          bytes[k] = (byte) (0xE0 + random.nextInt(32)); // begins of longer sequences
        }
        bytes[k] = bytes[k] == 0 ? 1 : bytes[k];
      }
      byte[] ended = Arrays.copyOf(bytes, bytes.length + 1);
      assertThat(RawText.strings(ended))
          .singleElement()
          .satisfies(text -> assertThat(RawText.encode(text)).isEqualTo(bytes));
    }
  }

  @Test
  void people() {
    byte[] bytes = {'c', (byte) 0xC3, (byte) 0xA9, (byte) 0xE9, 0};
    String text = RawText.strings(bytes).getFirst();
    assertThat(RawText.shown(text)).isEqualTo("c\u00e9\\xE9");
    assertThat(RawText.isText(text)).isFalse();
    assertThat(RawText.isText("c\u00e9")).isTrue();
  }

  @Test
  void pathsOfFilesThatAreThere() throws Exception {
    byte[] bytes = (folder + "/caf\u0001").getBytes(StandardCharsets.ISO_8859_1);
    bytes[bytes.length - 1] = (byte) 0xE9;
    String name = RawText.strings(Arrays.copyOf(bytes, bytes.length + 1)).getFirst();
    Files.writeString(RawText.path(name), "x");
    try (var files = Files.newDirectoryStream(folder)) {
      assertThat(Files.isSameFile(files.iterator().next(), RawText.path(name))).isTrue();
    }
  }
}
