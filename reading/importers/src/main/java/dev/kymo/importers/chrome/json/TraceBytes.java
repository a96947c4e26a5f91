package dev.kymo.importers.chrome.json;

import dev.kymo.importers.target.CountedInput;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;

/** The bytes of a file's text, unpacked where it is packed. */
final class TraceBytes {
  private static final int BUFFER = 64 * 1024;

  private TraceBytes() {}

  static InputStream open(Path file, LongConsumer progress) throws IOException {
    InputStream in = new BufferedInputStream(CountedInput.open(file, progress), BUFFER);
    try {
      in.mark(3);
      boolean packed = in.read() == 0x1F && in.read() == 0x8B;
      in.reset();
      return withoutMark(packed ? new BufferedInputStream(new GZIPInputStream(in, BUFFER)) : in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** The three bytes that some programs put before UTF-8. */
  private static InputStream withoutMark(InputStream in) throws IOException {
    in.mark(4);
    if (in.read() != 0xEF || in.read() != 0xBB || in.read() != 0xBF) {
      in.reset();
    }
    return in;
  }
}
