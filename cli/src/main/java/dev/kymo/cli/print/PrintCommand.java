package dev.kymo.cli.print;

import dev.kymo.analysis.names.Aliases;
import dev.kymo.cli.options.EventOptions;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.cli.options.FormatOptions;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.options.ThreadListOptions;
import dev.kymo.cli.terminal.ExitCode;
import dev.kymo.cli.terminal.OutputFile;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo print}: one line per event. */
@Command(
    name = "print",
    mixinStandardHelpOptions = true,
    description = "Shows all events in the order of time, one a line.")
public final class PrintCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private ThreadListOptions threads;
  @Mixin private PrintOptions options;
  @Mixin private FormatOptions forPrograms;
  @Mixin private ListingOptions listing;
  @Mixin private FilterOption filter;
  @Mixin private EventOptions events;

  @Option(
      names = "--definitions",
      description = "Also print definitions of processes, threads and methods.")
  private boolean definitions;

  @Option(
      names = "--kernel",
      description = "Also print the kernel's events, as the kernel writes them.")
  private boolean kernel;

  public PrintCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (listing.isWanted()) {
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
      return ExitCode.OK;
    }
    PrintFormat format = options.format(forPrograms);
    Aliases aliases = options.aliases();
    Optional<PrintOptions.Target> files = options.files();
    EventSelection selection;
    try (FilterOption.Choice choice = filter.open(events);
        Recording open = recording.open(terminal)) {
      selection =
          new EventSelection(
              threads.from(),
              threads.to(),
              threads.threads(),
              options.filter(),
              options.numbers(),
              choice);
      CallPass pass = CallPass.open(open);
      LineFormat lines = lines(format, pass.definitions());
      if (files.isPresent()) {
        split(open, pass, selection, aliases, lines, files.get());
      } else {
        print(open, pass, selection, aliases, lines, EventOutput.terminal(terminal, lines));
      }
    }
    for (String pattern : selection.events().unmet()) {
      terminal.warn("nothing that was selected has this name: pattern=" + pattern);
    }
    return ExitCode.OK;
  }

  private LineFormat lines(PrintFormat format, RecordedDefinitions known) {
    if (forPrograms.json()) {
      return new JsonFormat();
    }
    if (forPrograms.csv()) {
      return new CsvFormat();
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
