package dev.kymo.cli.exchange;

import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.record.RedactOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.format.Redaction;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo import}: keeps what all other commands make of a foreign file for themselves. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a recording of another tracer's file, and keeps it.",
      "Other commands take such files, too: they make a recording for themselves."
    })
public final class ImportCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "FILE", description = "File or directory of another tracer.")
  private Path file;

  @Mixin private LogOptions logs;

  @Mixin private RecordingOutput output;

  @Mixin private RedactOptions redact;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      description = "The file's format, if it cannot be told from the contents.")
  private @Nullable String format;

  public ImportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Redaction redaction = redact.redaction();
    if (!Files.exists(file)) {
      throw new UsageException("no such file: path=" + file);
    }
    try (OutputFile to = output.begin()) {
      logs.convert(file, format, to.unfinished(), redaction, terminal);
      terminal.line("%s: %d bytes".formatted(output.path(), to.finish()));
    }
    return ExitCode.OK;
  }
}
