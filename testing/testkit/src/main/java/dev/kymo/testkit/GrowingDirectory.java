package dev.kymo.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A recording that is written piece by piece, as a recorder does, until it is complete. */
public final class GrowingDirectory implements AutoCloseable {
  /** More than any packet of the recordings that are made here. */
  private static final int PACKET_ROOM = 2048;

  private static final String METADATA = "metadata";

  private final Path live;
  private final List<GrowingStream> streams = new ArrayList<>();
  private final FileChannel rings;

  /**
   * Has everything but the events.
   *
   * @param whole the recording as it is to be in the end
   * @param live a directory that does not exist
   */
  public GrowingDirectory(Path whole, Path live, SplittableRandom random) throws IOException {
    this.live = Files.createDirectory(live);
    rings =
        FileChannel.open(
            live.resolve(".rings"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    rings.lock();
    try (Stream<Path> files = Files.list(whole)) {
      for (Path file : files.toList()) {
        Path to = live.resolve(String.valueOf(file.getFileName()));
        if (to.toString().contains("-ring-")) {
          streams.add(new GrowingStream(to, Files.readAllBytes(file), PACKET_ROOM, random));
        } else if (!to.endsWith(METADATA)) {
          Files.copy(file, to);
        }
      }
    }
    Files.copy(whole.resolve(METADATA), live.resolve(METADATA)); // from now on it is a recording
  }

  /** Where it is. */
  public Path path() {
    return live;
  }

  /** Shows all events up to a clock. */
  public void show(long clock) throws IOException {
    for (GrowingStream stream : streams) {
      stream.show(clock);
    }
    present(clock);
  }

  /** Says that all events up to a clock are there. */
  public void present(long clock) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, clock);
    Files.write(live.resolve(".present"), bytes.array());
  }

  /** Shows everything: its recorder has ended. */
  public void complete() throws IOException {
    for (GrowingStream stream : streams) {
      stream.showAll();
    }
    Files.delete(live.resolve(".rings"));
  }

  /** Its recorder ends, wherever it is. */
  @Override
  public void close() throws IOException {
    rings.close();
  }
}
