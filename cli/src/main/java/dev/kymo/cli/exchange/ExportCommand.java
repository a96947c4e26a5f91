package dev.kymo.cli.exchange;

import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.cli.options.CategoryFile;
import dev.kymo.cli.options.ExportOptions;
import dev.kymo.cli.options.PassedOn;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.CsvSafeOption;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.exporters.ExportFormats;
import dev.kymo.exporters.csv.CsvCells;
import dev.kymo.exporters.csv.CsvExport;
import dev.kymo.exporters.otf2.Otf2Export;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.exporters.stacks.StackFormat;
import dev.kymo.query.parquet.ParquetFormat;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo export}: a recording as other tools read it. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = "Writes a recording, or a part of it, in a format that other tools read.")
public final class ExportCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private ExportOptions selection;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORMAT",
      completionCandidates = Names.class,
      description = "One of: ${COMPLETION-CANDIDATES}")
  private String format;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "OUT",
      description = "The file, or for csv, otf2 and parquet the directory.")
  private Path output;

  @Option(
      names = "--by",
      paramLabel = "thread|cpu",
      description = "For otf2: what locations are, threads (default) or processors.")
  private @Nullable By by;

  @Option(
      names = "--categories",
      paramLabel = "FILE",
      description = "For otf2: groups of functions, as for 'kymo report --categories'.")
  private @Nullable Path categories;

  @Option(
      names = "--partition",
      paramLabel = "day,host",
      split = ",",
      description =
          "For parquet: a directory for each day (UTC), for each host, or for each of both.")
  private List<ParquetFormat.Partition> partitions = List.of();

  @Option(
      names = "--samples",
      paramLabel = "KIND",
      description =
          "For collapsed, pprof and speedscope: samples of this kind instead of calls, or none:"
              + " calls. Default: of another tracer's samples the first kind.")
  private @Nullable String samples;

  @Mixin private CsvSafeOption csvSafe;

  @Option(names = "--force", description = "Replace the output if it exists.")
  private boolean force;

  /** What the locations of an archive are. */
  enum By {
    thread,
    cpu
  }

  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return all().map(ExportFormat::name).iterator();
    }
  }

  private static Stream<ExportFormat> all() {
    return Stream.concat(ExportFormats.all().stream(), Stream.of(new ParquetFormat(List.of())));
  }

  public ExportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    ExportFormat asked = asked();
    Selected selected = selection.selected();
    try (Recording open = recording.open(terminal)) {
      if (Files.exists(output) && Files.isSameFile(output, open.path())) {
        throw new UsageException("output is the recording itself: path=" + output);
      }
      try (OutputFile file = begin(asked);
          ExportSource source =
              ExportSource.open(
                  open, selected, terminal.progress("reading"), terminal.progress("exporting"))) {
        check(source, selected.from());
        String written = asked.write(source, file.unfinished());
        terminal.line("%s: %s, %d bytes".formatted(output, written, file.finish()));
        if (asked.hasCommands()) {
          PassedOn.say(source.pass().definitions(), terminal);
        }
      } catch (UnanswerableException e) {
        throw new UsageException(String.valueOf(e.getMessage()));
      } catch (UncheckedIOException e) {
        throw new IOException("export failed: path=%s error=\"%s\"".formatted(output, why(e)), e);
      }
    }
    return ExitCode.OK;
  }

  private ExportFormat asked() throws IOException {
    ExportFormat named =
        all().filter(each -> each.name().equals(format)).findFirst().orElseThrow(this::unknown);
    boolean archive = named instanceof Otf2Export;
    boolean parquet = named instanceof ParquetFormat;
    if (!archive && (by != null || categories != null)) {
      throw new UsageException("--by and --categories are for otf2: to=" + format);
    }
    if (!parquet && !partitions.isEmpty()) {
      throw new UsageException("--partition is for parquet: to=" + format);
    }
    if (samples != null) {
      if (named instanceof StackFormat stacks) {
        return stacks.of(samples);
      }
      throw new UsageException("--samples is for collapsed, pprof and speedscope: to=" + format);
    }
    CsvCells cells = csvSafe.cells(named instanceof CsvExport);
    if (named instanceof CsvExport) {
      return new CsvExport(cells);
    }
    if (archive) {
      return new Otf2Export(
          by == By.cpu, categories == null ? null : CategoryFile.read(categories));
    }
    return parquet ? new ParquetFormat(partitions) : named;
  }

  private static String why(UncheckedIOException e) {
    return String.valueOf(e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
  }

  private OutputFile begin(ExportFormat asked) throws IOException {
    return asked.isDirectory()
        ? OutputFile.begin(
            output, true, force, "directory that was exported", ExportCommand::isExport)
        : OutputFile.begin(output, false, force);
  }

  private static boolean isExport(Path directory) {
    return ExportFormats.isExport(directory) || ParquetFormat.isTables(directory);
  }

  private UsageException unknown() {
    return new UsageException(
        "no such format: to=%s; one of %s"
            .formatted(format, all().map(ExportFormat::name).collect(Collectors.joining(", "))));
  }

  private void check(ExportSource source, long from) {
    long duration = source.pass().clock().nanos(source.pass().end() - source.pass().base());
    if (from > duration) {
      throw new UsageException(
          "time range begins after the recording's end: from=%d duration=%d"
              .formatted(from, duration));
    }
    if (source.tracks().isEmpty() && !source.pass().threads().isEmpty()) {
      throw new UsageException(
          "the recording has no such thread; 'kymo report --per-thread' names them");
    }
  }
}
