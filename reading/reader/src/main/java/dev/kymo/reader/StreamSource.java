package dev.kymo.reader;

import dev.kymo.format.StreamClass;
import dev.kymo.instructions.calls.InstructionStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A stream's file, or what takes its place: the calls of a thread whose instructions were recorded
 * are made when they are read. Read by position, never mapped: a file may shrink while it is read.
 */
public final class StreamSource {
  /** End of the name of the stream with the calls that were running when a slice begins. */
  public static final String BEGUN = "-begun";

  /** End of the name of the stream with better names of native functions. */
  public static final String NAMES = "-names";

  /** Two changes may have the same time if no more than this lies between them. */
  private static final Duration TIME_GRAIN = Duration.ofSeconds(1);

  private final SafeDirectory directory;
  private final String name;
  private final OpenFiles files;
  private volatile long size;
  private Instant modified = Instant.MIN;
  private final @Nullable InstructionStream calls;
  private final BooleanSupplier growing;
  private int streamClass;

  /**
   * A stream's file.
   *
   * @param growing whether its writer is alive
   */
  StreamSource(
      SafeDirectory directory, String name, long size, OpenFiles files, BooleanSupplier growing) {
    this.directory = directory;
    this.name = name;
    this.size = size;
    this.files = files;
    this.calls = null;
    this.growing = growing;
  }

  /**
   * The calls of a thread.
   *
   * @param directory with its instructions
   */
  StreamSource(SafeDirectory directory, InstructionStream calls, OpenFiles files)
      throws IOException {
    this.directory = directory;
    this.name = calls.name();
    this.size = calls.size();
    this.files = files;
    this.calls = calls;
    this.streamClass = StreamClass.THREADS;
    this.growing = () -> false;
  }

  /** Whether what is missing at its end may be on its way; to be asked for rarely. */
  boolean isGrowing() {
    return growing.getAsBoolean();
  }

  /** Whether it lies in the recording as it is read. */
  public boolean isFile() {
    return calls == null;
  }

  public String name() {
    return name;
  }

  /** Bytes when the recording was opened, or at the last {@link Follower#poll}. */
  public long size() {
    return size;
  }

  /** One of {@link StreamClass}. */
  public int streamClass() {
    return streamClass;
  }

  /** Whether it has better definitions of native functions than the process could write. */
  public boolean names() {
    return name.endsWith(NAMES);
  }

  void streamClass(int found) {
    streamClass = found;
  }

  /** Whether it holds the calls that were running when a slice begins. */
  public boolean begun() {
    return name.endsWith(BEGUN);
  }

  /** Looks at the file again; returns whether it may have changed since this was asked last. */
  boolean refresh() throws IOException {
    if (calls != null) {
      return false; // such a recording does not grow
    }
    Instant now = Instant.now();
    BasicFileAttributes file = directory.attributes(name);
    Instant then = file.lastModifiedTime().toInstant();
    boolean same = file.size() == size && then.equals(modified);
    size = file.size();
    // A change so late may be followed by another one at the same time: not settled yet.
    modified = then.isBefore(now.minus(TIME_GRAIN)) ? then : Instant.MIN;
    return !same;
  }

  /** The same; a file that cannot be looked at is odd, and counts as unchanged. */
  boolean changed(Diagnostics diagnostics) {
    try {
      return refresh();
    } catch (IOException e) {
      diagnostics.add(
          Oddity.UNREADABLE_FILE, name, 0, () -> "error=\"%s\"".formatted(e.getMessage()));
      return false;
    }
  }

  /** Fills the buffer from a position on, as far as the file goes; returns the bytes read. */
  int read(ByteBuffer to, long position) throws IOException {
    return calls == null ? files.read(name, to, position) : calls.read(to, position);
  }

  public Instant changed() throws IOException {
    String file = calls == null ? name : calls.fileName();
    return directory.attributes(file).lastModifiedTime().toInstant();
  }

  /** Position of the next byte, from a position on, that is not in a hole of the file. */
  long nextData(long position) {
    if (calls != null) {
      return position;
    }
    Path path = directory.path().resolve(name);
    return Math.max(position, Holes.nextData(path, position, size));
  }
}
