package dev.kymo.cli.doctor;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code kymo doctor}: says what can be recorded, and what is missing for the rest. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Says what can be recorded on this machine, or of a process that runs.",
      "For the rest it says what is missing, and the command that mends it. It changes nothing.",
      "Exit code 1 if the process cannot be recorded."
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "0..1",
      paramLabel = "PID",
      description = "Number of a process; without it, the machine is looked at.")
  private @Nullable Long pid;

  public DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (pid == null) {
      print(new MachineFindings(System.getenv()).all());
      return ExitCode.OK;
    }
    List<Finding> all;
    try {
      ProcessFindings process = new ProcessFindings(pid);
      terminal.line(process.title());
      all = process.all();
    } catch (NoSuchFileException e) {
      throw new UsageException("there is no such process: pid=" + pid);
    }
    print(all);
    return all.getFirst().can() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void print(List<Finding> findings) {
    int width = findings.stream().mapToInt(finding -> finding.what().length()).max().orElse(0);
    for (Finding finding : findings) {
      String what = finding.what() + " ".repeat(width - finding.what().length());
      terminal.line("%s  %-3s  %s".formatted(what, finding.can() ? "yes" : "no", finding.how()));
      if (!finding.command().isEmpty()) {
        terminal.line(" ".repeat(width + 7) + "-> " + finding.command());
      }
    }
  }
}
