package dev.kymo.cli.record;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.recorder.budget.MemoryFile;
import dev.kymo.session.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code kymo forget}: the next recording of a program starts as if it were the first. */
@Command(
    name = "forget",
    mixinStandardHelpOptions = true,
    description = {
      "Forgets what recordings have found out about programs.",
      "Kymo remembers which methods are called too often to be recorded one by one; a program's"
          + " next recording begins with it."
    })
public final class ForgetCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "Programs whose main class or jar contains this in its name. Default: all.")
  private List<String> names = List.of();

  public ForgetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Path directory = MemoryFile.directory(System.getenv());
    List<String> forgotten =
        directory == null
            ? List.of()
            : MemoryFile.forget(
                directory,
                program -> names.isEmpty() || names.stream().anyMatch(program::contains));
    forgotten.forEach(program -> terminal.line("forgotten: " + program));
    if (forgotten.isEmpty()) {
      terminal.line(names.isEmpty() ? "nothing is remembered" : "no such program is remembered");
    }
    return ExitCode.OK;
  }
}
