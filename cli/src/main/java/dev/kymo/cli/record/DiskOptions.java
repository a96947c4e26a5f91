package dev.kymo.cli.record;

import dev.kymo.cli.words.DiskSizeConverter;
import dev.kymo.drain.Flushing;
import dev.kymo.session.UsageException;
import dev.kymo.session.run.DiskLimit;
import dev.kymo.session.run.Room;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options about the disk space that a recording may take. */
final class DiskOptions {
  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      converter = DiskSizeConverter.class,
      description =
          "Maximum size on disk, for instance 500M, or none; then recording stops; default: 4G. What the"
              + " threads' buffers hold then is kept too, so it can be larger by --buffer for"
              + " each thread. A flight recorder takes what its buffers hold.")
  private @Nullable Long maxSize;

  @Option(
      names = "--at-full",
      paramLabel = "MODE",
      description =
          "What happens at --max-size: stop recording, while the program runs on, or overwrite the oldest"
              + " events; default: stop.")
  private @Nullable AtFull atFull;

  @Option(
      names = "--files",
      paramLabel = "N",
      description =
          "With --at-full overwrite: number of files for each stream, of which the oldest is"
              + " dropped; default: 4.")
  private @Nullable Integer files;

  @Option(
      names = "--flush",
      paramLabel = "WHEN",
      converter = FlushConverter.class,
      description =
          "When events are written that do not fill a block of a thread's buffer yet: auto, so that they"
              + " can be viewed at once; after a time, 5s; or when so many bytes have gathered, 4M."
              + " Nothing is lost until then, even if the program is killed; default: auto.")
  private @Nullable Flushing flush;

  DiskLimit limit() {
    return new DiskLimit(maxSize, dropsOldest(), files, flush);
  }

  boolean dropsOldest() {
    return atFull == AtFull.overwrite;
  }

  /**
   * For instructions.
   *
   * @param keep how many of the last ones; 0 = all
   */
  Room room(long keep) {
    return Room.of(limit().size(), dropsOldest(), keep);
  }

  /** Whether it was said when to write. */
  boolean isFlushed() {
    return flush != null;
  }

  /** Whether a number of files was given. */
  boolean dropsFiles() {
    return files != null;
  }

  void check(boolean flightRecorder, boolean kernel) {
    if (atFull != null && (maxSize == null || maxSize == 0)) {
      throw new UsageException("--at-full goes with --max-size");
    }
    if (files != null && !dropsOldest()) {
      throw new UsageException("--files goes with --at-full overwrite");
    }
    if (files != null && (files < 1 || files > 1000)) {
      throw new UsageException("no such number of files: files=" + files + "; use 1 to 1000");
    }
    if (flush != null && flightRecorder) {
      throw new UsageException(
          "--flush does not go with --when-full overwrite, which writes nothing before the end");
    }
    if (dropsOldest() && flightRecorder) {
      throw new UsageException(
          "--at-full overwrite does not go with --when-full overwrite, which keeps what is newest in"
              + " memory");
    }
    if (dropsOldest() && kernel) {
      throw new UsageException("--at-full overwrite does not go with kernel events");
    }
  }
}
