package dev.kymo.foreign.chrome.json;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;

/** The bytes of a file's text, unpacked where it is packed. */
final class TraceBytes extends FilterInputStream {
  private static final int BUFFER = 64 * 1024;

  private final LongConsumer progress;
  private long read;

  private TraceBytes(InputStream in, LongConsumer progress) {
    super(in);
    this.progress = progress;
  }

  static InputStream open(Path file, LongConsumer progress) throws IOException {
    InputStream counted = new TraceBytes(Files.newInputStream(file), progress);
    InputStream in = new BufferedInputStream(counted, BUFFER);
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

  @Override
  public int read() throws IOException {
    int got = super.read();
    count(got < 0 ? 0 : 1);
    return got;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int got = super.read(bytes, from, length);
    count(Math.max(0, got));
    return got;
  }

  private void count(int bytes) {
    read += bytes;
    progress.accept(read);
  }
}
