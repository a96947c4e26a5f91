package dev.kymo.cli.exchange;

import dev.kymo.session.OutputFile;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options for the place of the recording that a command makes. */
final class RecordingOutput {
  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "NAME.kymo",
      description = "The recording.")
  private Path path;

  @Option(names = "--force", description = "Replace the output if it exists.")
  private boolean force;

  Path path() {
    return path;
  }

  /** Begins the recording, which is there when it is complete. */
  OutputFile begin() throws IOException {
    if (!path.toString().endsWith(".kymo")) {
      throw new UsageException("output is not NAME.kymo: output=" + path);
    }
    return OutputFile.begin(path, true, force);
  }
}
