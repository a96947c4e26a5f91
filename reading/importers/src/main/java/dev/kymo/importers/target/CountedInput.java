package dev.kymo.importers.target;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** A file's bytes; somebody hears how many were read. */
public final class CountedInput extends FilterInputStream {
  private final LongConsumer progress;
  private long read;

  private CountedInput(InputStream in, LongConsumer progress) {
    super(in);
    this.progress = progress;
  }

  /**
   * Opens a file.
   *
   * @param progress takes the number of bytes that were read so far, after each time
   */
  public static CountedInput open(Path file, LongConsumer progress) throws IOException {
    return new CountedInput(Files.newInputStream(file), progress);
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
