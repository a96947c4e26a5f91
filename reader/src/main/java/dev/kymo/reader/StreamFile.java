package dev.kymo.reader;

import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A stream's file. Read by position, never mapped: it may shrink while it is read. */
public final class StreamFile {
  /** End of the name of the stream that tells which calls were running when a slice begins. */
  public static final String BEGUN = "-begun";

  private final Path path;
  private final String name;
  private final long size;
  private final OpenFiles files;
  private int streamClass;

  StreamFile(Path path, String name, long size, OpenFiles files) {
    this.path = path;
    this.name = name;
    this.size = size;
    this.files = files;
  }

  /** Name in the recording. */
  public String name() {
    return name;
  }

  /** Bytes when the recording was opened. */
  public long size() {
    return size;
  }

  /** One of {@link StreamClass}. */
  public int streamClass() {
    return streamClass;
  }

  void streamClass(int found) {
    streamClass = found;
  }

  /** Whether it holds the calls that were running when a slice begins. */
  public boolean begun() {
    return name.endsWith(BEGUN);
  }

  /** Fills the buffer from a position on, as far as the file goes; returns the bytes read. */
  int read(ByteBuffer to, long position) throws IOException {
    return files.read(path, to, position);
  }
}
