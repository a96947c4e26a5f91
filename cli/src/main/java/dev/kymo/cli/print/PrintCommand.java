package dev.kymo.cli.print;

import dev.kymo.analysis.names.Aliases;
import dev.kymo.cli.options.EventChoiceOptions;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.cli.options.FormatOptions;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.options.ThreadListOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.DurationConverter;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo print}: one line per event. */
@Command(
    name = "print",
    mixinStandardHelpOptions = true,
    description = "Shows all events in the order of time, one a line.")
public final class PrintCommand implements Callable<Integer> {
  /** Of what becomes known late, nearly all is known by then. */
  private static final Duration USUAL_DELAY = Duration.ofSeconds(3);

  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private ThreadListOptions threads;
  @Mixin private PrintOptions options;
  @Mixin private FormatOptions forPrograms;
  @Mixin private ListingOptions listing;
  @Mixin private FilterOption filter;
  @Mixin private EventChoiceOptions events;

  @Option(
      names = "--definitions",
      description = "Also print definitions of processes, threads and methods.")
  private boolean definitions;

  @Option(
      names = "--kernel",
      description = "Also print the kernel's events, as the kernel writes them.")
  private boolean kernel;

  @Option(
      names = "--follow",
      description =
          "Of a recording that is being written, print events as they come, until it ends.")
  private boolean follow;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "With --follow: print events this much later. What threads of Java waited for and the"
              + " names of native functions are known by then, and everything is in the order of"
              + " time; default: 3s.")
  private @Nullable Duration delay;

  @Option(
      names = "--spooled",
      hidden = true,
      description = "With --follow: the recording is made only to be printed, by this command.")
  private boolean spooled;

  public PrintCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    forPrograms.prepare(terminal);
    boolean listed = listing.isWanted();
    if (follow && (listed || kernel || options.files().isPresent())) {
      throw new UsageException(
          "--follow does not go with --kernel, --split, --instructions, --data and --points");
    }
    if (delay != null && !follow) {
      throw new UsageException("--delay goes with --follow only");
    }
    if (listed) {
      list();
      return ExitCode.OK;
    }
    PrintFormat format = options.format(forPrograms);
    Aliases aliases = options.aliases();
    Optional<PrintOptions.Target> files = options.files();
    EventSelection selection;
    int code = ExitCode.OK;
    try (FilterOption.Choice choice = filter.open(events)) {
      selection =
          new EventSelection(
              threads.from(),
              threads.to(),
              threads.threads(),
              options.filter(),
              options.numbers(),
              choice);
      if (follow && new GrowingRecording(recording, terminal).awaitEvents()) {
        code = follow(selection, aliases, format);
      } else {
        whole(selection, aliases, format, files);
      }
    }
    for (String pattern : selection.events().unmet()) {
      terminal.warn("nothing that was selected has this name: pattern=" + pattern);
    }
    return code;
  }

  private void list() throws IOException {
    if (definitions
        || kernel
        || filter.isGiven()
        || events.isGiven()
        || options.files().isPresent()) {
      throw new UsageException(
          listing.option()
              + " does not go with --definitions, --kernel, --filter, --core, --process and"
              + " --split");
    }
    try (Recording open = recording.open(terminal)) {
      listing.write(open, terminal, forPrograms, threads);
    }
  }

  private void whole(
      EventSelection selection,
      Aliases aliases,
      PrintFormat format,
      Optional<PrintOptions.Target> files)
      throws IOException {
    try (Recording open = recording.open(terminal)) {
      CallPass pass = CallPass.open(open);
      LineFormat lines = lines(format, pass.definitions());
      if (files.isPresent()) {
        split(open, pass, selection, aliases, lines, files.get());
      } else {
        print(open, pass, selection, aliases, lines, EventOutput.terminal(terminal, lines));
      }
    }
  }

  private int follow(EventSelection selection, Aliases aliases, PrintFormat format)
      throws IOException, InterruptedException {
    return new GrowingRecording(recording, terminal)
        .print(
            definitions,
            (delay == null ? USUAL_DELAY : delay).toNanos(),
            spooled,
            (pass, merge) -> {
              LineFormat lines = lines(format, pass.definitions());
              return new EventLines(
                  pass,
                  selection,
                  aliases,
                  lines instanceof TableFormat,
                  EventOutput.terminal(terminal, lines),
                  merge,
                  KernelMerge.none());
            });
  }

  private LineFormat lines(PrintFormat format, RecordedDefinitions known) {
    if (forPrograms.json()) {
      return new JsonFormat();
    }
    if (forPrograms.csv()) {
      return new CsvFormat(terminal.cells());
    }
    return switch (format) {
      case text -> new TextFormat();
      case table -> new TableFormat(known, kernel);
      case raw -> new RawFormat();
    };
  }

  private void split(
      Recording open,
      CallPass pass,
      EventSelection selection,
      Aliases aliases,
      LineFormat lines,
      PrintOptions.Target target)
      throws IOException {
    try (OutputFile directory = OutputFile.begin(target.directory(), true, false)) {
      terminal.cleanup().add(directory::close);
      SplitOutput output =
          new SplitOutput(
              directory.unfinished(), target.by(), lines, pass.definitions().processes());
      print(open, pass, selection, aliases, lines, output);
      terminal.line(
          "%s: %s, %d bytes".formatted(target.directory(), output.written(), directory.finish()));
    }
  }

  private void print(
      Recording open,
      CallPass pass,
      EventSelection selection,
      Aliases aliases,
      LineFormat lines,
      EventOutput output)
      throws IOException {
    boolean placed = lines instanceof TableFormat;
    DefinitionMerge merge = definitions ? DefinitionMerge.all(open) : DefinitionMerge.none();
    KernelMerge ofKernel =
        kernel
            ? KernelMerge.all(open, pass.definitions().kernelEvents().values(), pass.diagnostics())
            : KernelMerge.none();
    new EventLines(pass, selection, aliases, placed, output, merge, ofKernel).run();
  }
}
