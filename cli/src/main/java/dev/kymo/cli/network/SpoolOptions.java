package dev.kymo.cli.network;

import dev.kymo.cli.terminal.UsageException;
import dev.kymo.cli.words.DiskSizeConverter;
import dev.kymo.format.RingLayout;
import dev.kymo.network.wire.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What happens to a recording that is sent while it is made. */
public final class SpoolOptions {
  private static final long USUAL_SIZE = 1L << 30;

  @Mixin private SendOptions send;

  /** What to do while the receiver does not take the events. */
  enum WhenUnreachable {
    spool,
    discard,
    block
  }

  @Option(
      names = "--when-unreachable",
      paramLabel = "MODE",
      description =
          "With --to, while the receiver does not take the events: spool them here up to"
              + " --spool-size and then discard and count new ones; discard them at once; or spool"
              + " and then block the program; default: spool.")
  private @Nullable WhenUnreachable whenUnreachable;

  @Option(
      names = "--spool-size",
      paramLabel = "SIZE",
      converter = DiskSizeConverter.class,
      description =
          "With --to: most bytes kept here that the receiver has not got yet; default: 1G. With -o -:"
              + " most that are not printed yet; default: 256M.")
  private @Nullable Long spoolSize;

  @Option(
      names = "--keep-local",
      description = "With --to: keep the whole recording here, too, as without --to.")
  private boolean keepLocal;

  /** Whether anything is sent. */
  public boolean isOn() {
    return send.isOn();
  }

  /**
   * Refuses options that do not go together.
   *
   * @param flightRecorder whether rings are overwritten when they are full
   * @param console whether events are printed
   */
  public void check(boolean flightRecorder, boolean instructions, boolean console) {
    if (!send.isOn()) {
      boolean size = spoolSize != null && !console;
      if (send.isVain() || whenUnreachable != null || size || keepLocal) {
        throw new UsageException(
            "--session, --insecure, --when-unreachable, --spool-size and --keep-local go with --to");
      }
      return;
    }
    if (flightRecorder) {
      throw new UsageException(
          "--to does not go with --when-full overwrite: send the snapshots with kymo send");
    }
    if (instructions) {
      throw new UsageException(
          "--to does not go with --instructions: send the recording with kymo send when it is there");
    }
  }

  /** What happens when a thread's buffer is full, if this says it. */
  public int whenFull(int otherwise) {
    return whenUnreachable == WhenUnreachable.block ? RingLayout.BLOCK : otherwise;
  }

  /**
   * The directory to record into: the one that the user means, or a spool.
   *
   * @param output what the user calls the recording
   */
  public Path directory(Path output) throws IOException {
    if (!isSpool()) {
      return output;
    }
    Path spools = NetworkPlaces.spools();
    Secret.makeDirectory(spools);
    String name = String.valueOf(output.getFileName());
    Path free = spools.resolve(name);
    for (int i = 2; Files.exists(free); i++) {
      free = spools.resolve(name + "-" + i);
    }
    return free;
  }

  /** Most bytes that wait for their receiver, 0 = any; null = not given. */
  public @Nullable Long size() {
    return spoolSize;
  }

  boolean isSpool() {
    return isOn() && !keepLocal;
  }

  public SendOptions send() {
    return send;
  }

  /** Whether so many bytes are too many while the receiver is there, or is not. */
  boolean isFull(long waiting, boolean connected) {
    if (whenUnreachable == WhenUnreachable.discard && !connected) {
      return true;
    }
    return waiting
        >= (spoolSize == null ? USUAL_SIZE : spoolSize == 0 ? Long.MAX_VALUE : spoolSize);
  }
}
