package dev.kymo.writer;

import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.MetadataText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The files in a recording's directory beside its streams. A recording that others read while it is
 * written holds a lock on {@code .rings}, and says in {@code .present} up to which clock everything
 * is there.
 */
public final class RecordingFiles implements AutoCloseable {
  private static final String METADATA = "metadata";
  private static final String RINGS = ".rings";
  private static final String PRESENT = ".present";

  private final Path directory;
  private final UUID uuid = UUID.randomUUID();
  private final @Nullable FileChannel rings;

  private RecordingFiles(Path directory, @Nullable FileChannel rings) {
    this.directory = directory;
    this.rings = rings;
  }

  /** A recording in an empty directory, to be read when it is complete. */
  public static RecordingFiles create(Path directory, Clock clock) throws IOException {
    return new RecordingFiles(directory, null).metadata(clock);
  }

  /** A recording in an empty directory that can be read while it grows. */
  public static RecordingFiles growing(Path directory, Clock clock) throws IOException {
    FileChannel rings =
        FileChannel.open(
            directory.resolve(RINGS), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    rings.lock();
    return new RecordingFiles(directory, rings).metadata(clock);
  }

  private RecordingFiles metadata(Clock clock) throws IOException {
    Files.writeString(directory.resolve(METADATA), MetadataText.of(uuid, clock));
    return this;
  }

  /**
   * Describes kernel events, for other readers of CTF.
   *
   * @param kernelEvents kinds of events, by their number in the recording
   */
  public void describe(Clock clock, List<KernelEventFormat> kernelEvents) throws IOException {
    Files.writeString(directory.resolve(METADATA), MetadataText.of(uuid, clock, kernelEvents));
  }

  public Path directory() {
    return directory;
  }

  /** What every packet must carry. */
  public UUID uuid() {
    return uuid;
  }

  /** Says that every event up to this clock is in the files. */
  public void present(long clock) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, clock);
    try (FileChannel file =
        FileChannel.open(
            directory.resolve(PRESENT), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(bytes, 0);
    }
  }

  /** Completes the recording: everything is in the streams. */
  @Override
  public void close() throws IOException {
    if (rings != null) {
      Files.deleteIfExists(directory.resolve(PRESENT));
      Files.deleteIfExists(directory.resolve(RINGS));
      rings.close();
    }
  }
}
