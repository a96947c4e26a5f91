package dev.kymo.session.system;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The amount printed of a recording that is made only to be printed: a file in it, which the
 * process that prints writes and the recorder reads.
 */
public final class PrintedBytes implements AutoCloseable {
  private static final String FILE = ".printed";

  private final FileChannel file;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

  /** Opens it, nothing is printed yet. */
  public PrintedBytes(Path recording) throws IOException {
    this.file =
        FileChannel.open(
            recording.resolve(FILE),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
  }

  /** Says how many bytes of the recording are not needed any more. */
  public void write(long bytes) throws IOException {
    file.write(number.clear().putLong(0, bytes), 0);
  }

  /** How many were said to be; 0 = none. */
  public long read() throws IOException {
    return file.read(number.clear(), 0) == Long.BYTES ? number.getLong(0) : 0;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
