package dev.kymo.cli.print;

import dev.kymo.analysis.names.Aliases;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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

  @Option(
      names = "--definitions",
      description = "Also print definitions of processes, threads and methods.")
  private boolean definitions;

  @Option(
      names = "--kernel",
      description = "Also print the kernel's events, as the kernel writes them.")
  private boolean kernel;

  @Option(
      names = "--instructions",
      description =
          "Print the executed instructions instead, from kymo record --instructions; --from and"
              + " --to are their numbers.")
  private boolean instructions;

  @Option(
      names = "--source",
      description =
          "With --instructions: also the source lines that they were made of, where the program's"
              + " files have them.")
  private boolean source;

  @Option(
      names = "--data",
      description =
          "Print what kymo machine replay has added at chosen instructions instead, and which"
              + " threads were ready to run at switches.")
  private boolean data;

  @Option(
      names = "--points",
      description =
          "Print where the executed instructions are irregular instead: returns that match no"
              + " call, calls that never return, faults, switches nobody asked for, pages whose"
              + " code is executed first.")
  private boolean points;

  @Option(
      names = "--critical",
      paramLabel = "FUNCTION",
      description =
          "With --points: interrupts, or in a program signals, in this function are points, too."
              + " May be repeated.")
  private List<String> critical = new ArrayList<>();

  public PrintCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!critical.isEmpty() && !points) {
      throw new UsageException("--critical goes with --points only");
    }
    if (source && !instructions) {
      throw new UsageException("--source goes with --instructions only");
    }
    if (instructions || data || points) {
      return printInstructions();
    }
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
      terminal.warn("nothing that was selected has this name: pattern=" + pattern);
    }
    return ExitCode.OK;
  }

  private int printInstructions() throws IOException {
    long listings = Stream.of(instructions, data, points).filter(given -> given).count();
    if (definitions || kernel || options.files().isPresent() || listings > 1) {
      throw new UsageException(
          "give one of --instructions, --data and --points, without --definitions, --kernel and --split");
    }
    try (Recording open = recording.open(terminal)) {
      if (points) {
        new PointLines(terminal, forPrograms)
            .write(open, threads.from(), threads.to(), threads.threads(), Set.copyOf(critical));
        return ExitCode.OK;
      }
      new InstructionLines(terminal, forPrograms, data, source)
          .write(open, threads.from(), threads.to());
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
    KernelMerge events =
        kernel
            ? KernelMerge.all(open, pass.definitions().kernelEvents().values(), pass.diagnostics())
            : KernelMerge.none();
    new EventLines(pass, selection, aliases, placed, output, merge, events).run();
  }
}
