package dev.kymo.cli.print;

import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.drain.Salvage;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingState;
import dev.kymo.reader.WriterWatch;
import dev.kymo.session.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A recording that is followed until it ends. */
final class GrowingRecording {
  /** As often as the recorder writes. */
  private static final long POLL_MILLIS = 40;

  private final RecordingArgument argument;
  private final Terminal terminal;

  GrowingRecording(RecordingArgument argument, Terminal terminal) {
    this.argument = argument;
    this.terminal = terminal;
  }

  /**
   * Waits until events can be followed, or the recording has ended: one that keeps only the newest
   * events has none before.
   *
   * @return whether it is still being written
   */
  boolean awaitEvents() throws IOException, InterruptedException {
    Path path = argument.growing();
    WriterWatch watch = new WriterWatch(path);
    RecordingState state = watch.look();
    boolean said = false;
    while (state == RecordingState.GROWING && watch.present() == Long.MIN_VALUE) {
      if (!said && overwrites()) {
        said = true;
        terminal.warn(
            "this recording keeps the newest events, and has none before it ends: path=" + path);
      }
      Thread.sleep(POLL_MILLIS);
      state = watch.look();
    }
    return state == RecordingState.GROWING;
  }

  private boolean overwrites() throws IOException {
    try (Recording open = Recording.open(argument.growing())) {
      RecordedDefinitions _ = RecordedDefinitions.read(open, new Diagnostics());
      return open.overwrites();
    }
  }

  /**
   * Prints it until it ends; returns the exit code.
   *
   * @param definitions whether they are printed, too
   * @param delay nanoseconds by which lines come later
   * @param spooled whether the recording is made only to be printed
   */
  int print(boolean definitions, long delay, boolean spooled, FollowedLines.Maker maker)
      throws IOException, InterruptedException {
    boolean more = true;
    boolean taken = false;
    try (Recording open = argument.openGrowing(terminal);
        PrintedSpace space = spooled ? new PrintedSpace(open.path()) : null) {
      FollowedLines lines = new FollowedLines(open, definitions, delay, maker);
      RecordingState state = lines.poll();
      while (more && state != RecordingState.COMPLETE) {
        terminal.flush();
        if (space != null) {
          space.free(lines);
        }
        if (state == RecordingState.ABANDONED) {
          Optional<Salvage.Outcome> rest = argument.rest(terminal);
          taken |= rest.equals(Optional.of(Salvage.Outcome.TAKEN));
          more = rest.isPresent() && rest.get() != Salvage.Outcome.NOT_RECEIVED;
        }
        Thread.sleep(POLL_MILLIS);
        state = lines.poll();
      }
    }
    if (taken) {
      argument.nameFunctions(terminal);
    }
    return more ? ExitCode.OK : ExitCode.FAILED;
  }
}
