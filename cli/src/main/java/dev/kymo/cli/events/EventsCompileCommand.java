package dev.kymo.cli.events;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import dev.kymo.events.Problem;
import dev.kymo.events.StableIds;
import dev.kymo.events.generate.GeneratedFile;
import dev.kymo.events.generate.Generator;
import dev.kymo.events.parse.DefinitionFileReader;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo events compile}: from a definition file to Java, C and JSON. */
@Command(
    name = "compile",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a file that defines events, and generates Java, C or JSON from it.",
      "The language is that of Barrelfish's pleco, and more."
    })
public final class EventsCompileCommand implements Callable<Integer> {
  private static final String DEFAULT_PACKAGE = "events";

  private final Terminal terminal;

  @Parameters(paramLabel = "FILE", description = "Definitions of events, as in docs/events.md.")
  private Path file;

  @Option(names = "--java", description = "A class per subsystem, with a method per event.")
  private boolean java;

  @Option(
      names = "--c",
      description = "NAME.h: Barrelfish's macros, and a function per event, for C and C++.")
  private boolean c;

  @Option(names = "--json", description = "NAME.json: everything.")
  private boolean json;

  @Option(
      names = "--pleco-json",
      description = "NAME.pleco.json: what pleco writes and Aquarium reads.")
  private boolean plecoJson;

  @Option(
      names = "--package",
      paramLabel = "NAME",
      description = "Package of the Java classes. Default: " + DEFAULT_PACKAGE + ".")
  private @Nullable String packageName;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Folder to write to. Default: the current one.")
  private Path output = Path.of("");

  @Option(
      names = "--check",
      paramLabel = "OLD",
      description =
          "Fail if the id of a subsystem or event differs from that in OLD, an older version.")
  private @Nullable Path old;

  public EventsCompileCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    List<Generator> generators = generators();
    Definitions definitions = read(file);
    if (old != null) {
      List<Problem> changed = StableIds.changed(read(old), definitions);
      if (!changed.isEmpty()) {
        throw new DefinitionException(changed);
      }
    }
    // All of them before the first is written: a clash of names in one leaves no half of a result.
    List<GeneratedFile> files = new ArrayList<>();
    for (Generator generator : generators) {
      files.addAll(generator.generate(definitions));
    }
    terminal.line(
        "%s: subsystems=%d events=%d"
            .formatted(file, definitions.subsystems().size(), definitions.eventCount()));
    for (GeneratedFile each : files) {
      terminal.line(each.writeTo(output).toString());
    }
    return ExitCode.OK;
  }

  private List<Generator> generators() {
    List<Generator> generators = new ArrayList<>();
    if (java) {
      generators.add(java(packageName == null ? DEFAULT_PACKAGE : packageName));
    } else if (packageName != null) {
      throw new UsageException("--package goes with --java only: package=" + packageName);
    }
    if (c) {
      generators.add(Generator.cHeader());
    }
    if (json) {
      generators.add(Generator.json());
    }
    if (plecoJson) {
      generators.add(Generator.plecoJson());
    }
    return generators;
  }

  private static Generator java(String packageName) {
    try {
      return Generator.java(packageName);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static Definitions read(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new UsageException("no such file: path=" + path);
    }
    return DefinitionFileReader.read(path);
  }
}
