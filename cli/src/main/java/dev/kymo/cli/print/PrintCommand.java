package dev.kymo.cli;

import dev.kymo.analysis.Aliases;
import dev.kymo.model.CallPass;
import dev.kymo.model.Definitions;
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
final class PrintCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private ThreadListOptions threads;
  @Mixin private PrintOptions options;
  @Mixin private FormatOptions forPrograms;

  @Option(names = "--definitions", description = "Also what defines processes, threads, methods.")
  private boolean definitions;

  @Option(names = "--kernel", description = "Also the kernel's events, as the kernel has them.")
  private boolean kernel;

  PrintCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    PrintFormat format = options.format(forPrograms);
    Aliases aliases = options.aliases();
    EventSelection selection =
        new EventSelection(
            threads.from(), threads.to(), threads.threads(), options.filter(), options.numbers());
    Optional<PrintOptions.Target> files = options.files();
    try (Recording open = recording.open(terminal)) {
      CallPass pass = CallPass.open(open);
      LineFormat lines = lines(format, pass.definitions());
      if (files.isPresent()) {
        split(open, pass, selection, aliases, lines, files.get());
      } else {
        print(open, pass, selection, aliases, lines, EventOutput.terminal(terminal, lines));
      }
    }
    for (String pattern : selection.events().unmet()) {
      terminal.warn("nothing that was asked for has this name: pattern=" + pattern);
    }
    return Main.OK;
  }

  private LineFormat lines(PrintFormat format, Definitions known) {
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
    KernelMerge events =
        kernel
            ? KernelMerge.all(open, pass.definitions().kernelEvents().values(), pass.diagnostics())
            : KernelMerge.none();
    new EventLines(pass, selection, aliases, placed, output, merge, events).run();
  }
}
