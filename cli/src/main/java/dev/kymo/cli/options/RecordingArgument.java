package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.drain.Salvage;
import dev.kymo.reader.Metadata;
import dev.kymo.reader.Recording;
import dev.kymo.session.UsageException;
import dev.kymo.symbols.FunctionNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The recording a command reads. All commands that read one open it here. */
public final class RecordingArgument {
  @Parameters(
      paramLabel = "RECORDING",
      description = "Directory of the recording, or another tracer's file.")
  private Path path;

  @Mixin private LogOptions logs;

  /**
   * Where it is, ready to be opened.
   *
   * @param terminal gets a warning if the recording is incomplete
   * @throws UsageException if there is no recording
   * @throws IOException if it is a log that cannot be made into one
   */
  public Path path(Terminal terminal) throws IOException {
    return ready(path, logs, terminal);
  }

  /** The same for a recording named in another way. */
  public static Path ready(Path path, LogOptions logs, Terminal terminal) throws IOException {
    if (!Files.exists(path)) {
      throw new UsageException("no such recording: path=" + path);
    }
    if (Files.isRegularFile(path) || (Files.isDirectory(path) && LogOptions.isForeign(path))) {
      return logs.convert(path, terminal);
    }
    logs.none();
    LeftInstructions.complete(path);
    if (!Recording.isRecording(path) && !Files.isSymbolicLink(path.resolve(Metadata.FILE))) {
      throw new UsageException("not a recording, it has no metadata: path=" + path);
    }
    salvage(path, terminal);
    return path;
  }

  /** An empty directory of this name, for as long as the command runs. */
  public Path temporary(String name, Terminal terminal) throws IOException {
    return logs.temporary(name, terminal);
  }

  /** Opens it; its oddities are reported when the command has ended. */
  public Recording open(Terminal terminal) throws IOException {
    Recording open = openByItself(terminal);
    terminal.watch(open.path(), open::oddities);
    return open;
  }

  /**
   * Where it is, for a command that follows it while it is written.
   *
   * @throws UsageException if there is no recording of Kymo's own
   */
  public Path growing() {
    if (!Files.exists(path)) {
      throw new UsageException("no such recording: path=" + path);
    }
    if (!Recording.isRecording(path)) {
      throw new UsageException("only Kymo's own recordings can be followed: path=" + path);
    }
    logs.none();
    return path;
  }

  /**
   * Opens it while it is written.
   *
   * @param terminal gets its oddities when the command has ended
   */
  public Recording openGrowing(Terminal terminal) throws IOException {
    Recording open = Recording.open(growing());
    terminal.watch(open.path(), open::oddities);
    return open;
  }

  /**
   * Collects what a killed recorder has left in shared memory, while the recording is open.
   *
   * @return what was left; empty if it cannot be had, which the terminal was told
   */
  public Optional<Salvage.Outcome> rest(Terminal terminal) {
    try {
      Salvage.Outcome outcome = Salvage.salvage(path);
      warn(path, outcome, terminal);
      return Optional.of(outcome);
    } catch (IOException | RuntimeException e) { // its files may be damaged
      warnOfRest(path, e, terminal);
      return Optional.empty();
    }
  }

  /** Names native functions of what a killed recorder has left, once the recording is closed. */
  public void nameFunctions(Terminal terminal) {
    nameFunctions(path, terminal);
  }

  /** Opens it for a command that reports oddities itself. */
  public Recording openByItself(Terminal terminal) throws IOException {
    return Recording.open(path(terminal));
  }

  private static void nameFunctions(Path path, Terminal terminal) {
    try {
      FunctionNames.complete(path);
    } catch (IOException e) {
      terminal.warn(
          "native functions have only the names that their processes knew: path=%s error=\"%s\""
              .formatted(path, e.getMessage()));
    }
  }

  /** Collects what a killed recorder has left in shared memory. */
  private static void salvage(Path path, Terminal terminal) {
    try {
      Salvage.Outcome outcome = Salvage.salvage(path);
      if (outcome == Salvage.Outcome.IN_PROGRESS) {
        terminal.warn("recording is still being written: path=" + path);
      } else if (outcome == Salvage.Outcome.TAKEN) {
        nameFunctions(path, terminal);
      }
      warn(path, outcome, terminal);
    } catch (IOException | RuntimeException e) { // its files may be damaged
      warnOfRest(path, e, terminal);
    }
  }

  private static void warn(Path path, Salvage.Outcome outcome, Terminal terminal) {
    if (outcome == Salvage.Outcome.NOT_RECEIVED) {
      terminal.warn("the rest of the recording has not been received: path=" + path);
    } else if (outcome == Salvage.Outcome.GONE) {
      terminal.warn("the end of the recording was lost with shared memory: path=" + path);
    }
  }

  private static void warnOfRest(Path path, Exception e, Terminal terminal) {
    terminal.warn(
        "the end of the recording could not be fetched: path=%s error=\"%s\""
            .formatted(path, e.getMessage()));
  }
}
