package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.format.Redaction;
import dev.kymo.importers.ForeignFormats;
import dev.kymo.importers.barrelfish.BarrelfishLog;
import dev.kymo.importers.barrelfish.BfscopeAddress;
import dev.kymo.importers.barrelfish.EventNames;
import dev.kymo.importers.barrelfish.LiveLog;
import dev.kymo.importers.barrelfish.NotALogException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.ImportProgress;
import dev.kymo.model.index.Scratch;
import dev.kymo.session.UsageException;
import dev.kymo.symbols.FunctionNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Logs of other tracers: they become recordings that last as long as the command. */
public final class LogOptions {
  private static final long MIN_FREQUENCY = 1_000_000L;
  private static final long MAX_FREQUENCY = 1_000_000_000_000L;

  /** Between dumps that a bfscope has to be asked for, milliseconds. */
  private static final long ASK_EVERY = 1_000;

  @Option(
      names = "--frequency",
      paramLabel = "HZ",
      description =
          "Frequency of the processor that a Barrelfish trace log is from; default: a cycle is shown as 1"
              + " ns.")
  private long frequency;

  @Option(
      names = "--log-definitions",
      paramLabel = "FILE",
      description =
          "What the numbers of events in a Barrelfish trace log mean: the definition file (.pleco)"
              + " of its Barrelfish, or the JSON file made of it; default: those of 2013, or from"
              + " before.")
  private @Nullable Path definitions;

  /** The options as they were given, for another process of this program. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    if (frequency != 0) {
      words.add("--frequency=" + frequency);
    }
    if (definitions != null) {
      words.add("--log-definitions=" + definitions);
    }
    return words;
  }

  /** Makes a recording of another tracer's file, for as long as the command runs. */
  Path convert(Path file, Terminal terminal) throws IOException {
    Path recording = temporary(String.valueOf(file.getFileName()), terminal);
    convert(file, null, recording, Redaction.USUAL, terminal);
    return recording;
  }

  /**
   * Begins to make a recording of another tracer's file, for as long as the command runs; empty if
   * it is no such file.
   */
  public Optional<BackgroundImport> begin(Path file, Terminal terminal) throws IOException {
    if (!Files.isRegularFile(file) && !Files.isDirectory(file)) {
      return Optional.empty();
    }
    ForeignFile foreign = ForeignFile.of(file);
    Optional<ForeignFormat> format = ForeignFormats.of(foreign);
    if (format.isEmpty()) {
      return Optional.empty();
    }
    none();
    BackgroundImport begun =
        BackgroundImport.start(
            format.get(),
            foreign,
            temporary(foreign.name(), terminal),
            terminal.progress("importing")::progress,
            terminal::warn);
    terminal.cleanup().add(begun::close);
    return Optional.of(begun);
  }

  /**
   * Makes a recording of another tracer's file.
   *
   * @param name of its format; null = to be told from its contents
   * @param recording an empty directory
   * @param redaction what is left out of command lines
   */
  public void convert(
      Path file, @Nullable String name, Path recording, Redaction redaction, Terminal terminal)
      throws IOException {
    ForeignFile foreign = ForeignFile.of(file);
    ImportProgress progress = terminal.progress("importing")::progress;
    Optional<ForeignFormat> format =
        name == null ? ForeignFormats.of(foreign) : Optional.of(named(name));
    if (format.isPresent()) {
      none();
      Import into = new Import(recording, progress).redacted(redaction);
      format.get().convert(foreign, into);
      if (format.get().hasAddresses()) {
        FunctionNames.complete(recording);
      }
      return;
    }
    check();
    try {
      BarrelfishLog.convert(file, recording, frequency, names(), progress);
    } catch (NotALogException e) {
      throw new UsageException(
          "neither a recording nor a file of a known tracer: path=%s; known are %s and Barrelfish's logs"
              .formatted(
                  file,
                  ForeignFormats.all().stream()
                      .map(ForeignFormat::title)
                      .collect(Collectors.joining(", "))));
    }
  }

  private static ForeignFormat named(String name) {
    return ForeignFormats.named(name)
        .orElseThrow(() ->
            new UsageException(
                "no such format: from=%s; one of %s"
                    .formatted(
                        name,
                        ForeignFormats.all().stream()
                            .map(ForeignFormat::name)
                            .collect(Collectors.joining(", ")))));
  }

  /** Whether a directory is another tracer's. */
  static boolean isForeign(Path directory) throws IOException {
    return ForeignFormats.of(ForeignFile.of(directory)).isPresent();
  }

  /** Makes a recording of what a bfscope sends, while it does. */
  public Path follow(String address, Terminal terminal) throws IOException {
    BfscopeAddress bfscope;
    try {
      bfscope = BfscopeAddress.parse(address);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    check();
    Path recording = temporary(bfscope.name(), terminal);
    LiveLog log = LiveLog.follow(bfscope, recording, frequency, names(), ASK_EVERY, terminal::warn);
    terminal.cleanup().add(log::close);
    return recording;
  }

  /** What is a recording already knows its frequency. */
  void none() {
    if (frequency != 0) {
      throw new UsageException("--frequency is for Barrelfish trace logs: a recording has its own");
    }
    if (definitions != null) {
      throw new UsageException(
          "--log-definitions is for Barrelfish trace logs: a recording has its own");
    }
  }

  private @Nullable EventNames names() throws IOException {
    return definitions == null ? null : LogDefinitions.read(definitions);
  }

  private void check() {
    if (frequency != 0 && (frequency < MIN_FREQUENCY || frequency > MAX_FREQUENCY)) {
      throw new UsageException(
          "no processor's frequency: frequency=%d min=%d max=%d"
              .formatted(frequency, MIN_FREQUENCY, MAX_FREQUENCY));
    }
  }

  /** An empty directory of this name, for as long as the command runs. */
  public Path temporary(String name, Terminal terminal) throws IOException {
    Scratch scratch = Scratch.make("log");
    terminal.cleanup().add(scratch::close);
    return Files.createDirectory(scratch.path().resolve(name));
  }
}
