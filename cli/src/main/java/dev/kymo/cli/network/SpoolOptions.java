package dev.kymo.cli.network;

import dev.kymo.cli.words.DiskSizeConverter;
import dev.kymo.format.RingLayout;
import dev.kymo.session.UsageException;
import dev.kymo.session.network.Delivery;
import dev.kymo.session.network.Delivery.WhenUnreachable;
import dev.kymo.session.network.SendTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for a recording that is sent while it is made. */
public final class SpoolOptions {
  @Mixin private SendOptions send;

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
    return send.receiver() != null;
  }

  /**
   * Refuses options that do not go together.
   *
   * @param flightRecorder whether rings are overwritten when they are full
   * @param console whether events are printed
   */
  public void check(boolean flightRecorder, boolean instructions, boolean console) {
    if (!isOn()) {
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

  /** Whether it goes to standard output, where nothing else may go then. */
  public boolean isToOutput() {
    SendTarget receiver = send.receiver();
    return receiver != null && receiver.isOutput();
  }

  /** How it is sent; null = not at all. */
  public @Nullable Delivery delivery() {
    SendTarget receiver = send.receiver();
    return receiver == null
        ? null
        : new Delivery(
            receiver,
            whenUnreachable == null ? WhenUnreachable.spool : whenUnreachable,
            spoolSize,
            keepLocal);
  }

  /** Most bytes that wait for their receiver, 0 = any; null = not given. */
  public @Nullable Long size() {
    return spoolSize;
  }
}
