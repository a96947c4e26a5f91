package dev.kymo.cli.machine;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.session.ExitCode;
import dev.kymo.session.machine.MachineHome;
import dev.kymo.session.machine.MachinePreparation;
import dev.kymo.session.system.Inherited;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kymo machine prepare}: gets what {@code kymo machine record} needs. */
@Command(
    name = "prepare",
    mixinStandardHelpOptions = true,
    description = {
      "Gets QEMU 10 and a kernel from Debian, without changing this system, and boots the kernel"
          + " once to learn its functions and structures.",
      "All of it is in ~/.cache/kymo/machine, or in the directory that KYMO_MACHINE names."
    })
public final class MachinePrepareCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--kernel",
      paramLabel = "VMLINUZ",
      description = "A kernel of your own, with BTF; default: Debian's for virtual machines.")
  private @Nullable Path kernel;

  public MachinePrepareCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    MachineHome home = MachineHome.of(Inherited.find().environment());
    MachineHome.Kernel prepared = MachinePreparation.prepare(home, kernel);
    terminal.line("qemu=%s kernel=%s".formatted(home.program(), prepared.directory()));
    return ExitCode.OK;
  }
}
