package dev.kymo.session.run;

import dev.kymo.drain.Machine;
import dev.kymo.drain.Version;
import dev.kymo.drain.options.OptionWords;
import dev.kymo.format.Definition;
import dev.kymo.format.Redaction;
import dev.kymo.instructions.completion.InstructionCompletion;
import dev.kymo.session.StandardError;
import dev.kymo.session.system.Timings;
import dev.kymo.symbols.FunctionNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Common parts of recordings of instructions: the plugin's option, and how they end. */
public final class InstructionEnding {
  private static final long NANOS = 1_000_000_000L;

  private InstructionEnding() {}

  /** What QEMU is told of the plugin. It cuts that at commas, unless they are doubled. */
  public static String plugin(Path library, Path traces) {
    return "%s,directory=%s".formatted(quoted(library), quoted(traces));
  }

  /** A path as a part of an option of QEMU's. */
  public static String quoted(Path path) {
    return path.toAbsolutePath().normalize().toString().replace(",", ",,");
  }

  /**
   * What was recorded.
   *
   * @param shown the command, as {@link Redaction#of} takes it
   * @param begin when it began
   * @param symbols of a machine's kernel; null: it is no machine
   * @param notices what readers should know
   * @param redaction what is left out of its command lines
   */
  public record Recorded(
      Path output,
      String shown,
      Instant begin,
      @Nullable Path symbols,
      List<String> notices,
      Redaction redaction) {}

  /**
   * Makes a recording of what the plugin has written, and says so. Then makes the index of a large
   * one; Ctrl-C leaves that to the viewer.
   *
   * @param quiet whether nothing is said
   * @return how many instructions there are
   */
  public static long complete(Recorded recorded, boolean quiet) throws IOException {
    Path output = recorded.output;
    long wall = recorded.begin.getEpochSecond() * NANOS + recorded.begin.getNano();
    Definition.Recording whole =
        Machine.recording(Version.TEXT, recorded.redaction.of(recorded.shown), "discard");
    InstructionCompletion.Summary summary;
    try (FunctionNames.Ahead names = new FunctionNames.Ahead()) {
      summary =
          InstructionCompletion.complete(
              output, wall, whole, recorded.symbols, recorded.notices, recorded.redaction);
      Timings.end("calls found");
      names.complete(output);
    }
    Timings.end("functions named");
    if (!quiet) {
      summary.notices().forEach(StandardError::say);
    }
    if (summary.instructions() > 0 && !quiet) {
      String instructions = "%,d".formatted(summary.instructions()).replace(',', ' ');
      String processes =
          summary.processes() == 1 ? "1 process" : summary.processes() + " processes";
      StandardError.say(
          "recorded %s instructions of %s, %s in %s; look at it with: kymo view %s"
              .formatted(
                  instructions, processes, OptionWords.megabytes(summary.bytes()), output, output));
    }
    Indexer indexer = new Indexer(output, false, () -> {});
    if (indexer.goOn(summary.streams()) && !quiet) {
      StandardError.say(
          "making the index by which it opens at once; Ctrl-C leaves that to kymo view");
    }
    indexer.complete();
    Timings.end("index made");
    return summary.instructions();
  }
}
