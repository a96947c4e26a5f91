package dev.kymo.editing.clocks;

import dev.kymo.reader.SafeDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A text beside a recording, which may come from anybody. */
final class SmallFile {
  private static final int LARGEST = 1 << 20;

  private SmallFile() {}

  /** Its lines; empty if there is no such file, or a larger one than any of ours. */
  static Optional<List<String>> lines(SafeDirectory directory, String name) throws IOException {
    if (!directory.isFile(name)) {
      return Optional.empty();
    }
    try (FileChannel file = directory.read(name);
        InputStream in = Channels.newInputStream(file)) {
      byte[] bytes = in.readNBytes(LARGEST);
      return bytes.length == LARGEST
          ? Optional.empty()
          : Optional.of(new String(bytes, StandardCharsets.UTF_8).lines().toList());
    }
  }
}
