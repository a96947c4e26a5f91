package dev.kymo.cli.options;

import dev.kymo.format.InstructionLayout;
import dev.kymo.format.Redaction;
import dev.kymo.instructions.completion.LeftTraces;
import dev.kymo.session.UsageException;
import dev.kymo.session.machine.RecordedKernel;
import dev.kymo.session.run.InstructionEnding;
import dev.kymo.session.run.RecorderLock;
import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;

/** Completes a recording of instructions whose recorder was killed. */
final class LeftInstructions {
  private static final String KILLED =
      "the recorder was killed before the recording was complete: the last instructions may be missing";

  private LeftInstructions() {}

  /**
   * Completes it, if there is something to complete.
   *
   * @throws UsageException if the recorder still lives
   */
  static void complete(Path recording) throws IOException {
    if (!LeftTraces.areIn(recording)) {
      return;
    }
    try (RecorderLock lock = RecorderLock.hold(recording)) {
      if (lock == null) {
        throw new UsageException(
            "instructions are still being recorded, and can be read when that has ended: path="
                + recording);
      }
      Path symbols = RecordedKernel.symbols(recording);
      Instant begin =
          Files.readAttributes(
                  recording.resolve(InstructionLayout.DIRECTORY), BasicFileAttributes.class)
              .creationTime()
              .toInstant();
      String command = RawText.shown(LeftTraces.collect(recording));
      InstructionEnding.complete(
          new InstructionEnding.Recorded(
              recording, command, begin, symbols, List.of(KILLED), Redaction.USUAL),
          false);
    }
  }
}
