package dev.kymo.cli.machine;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kymo machine}: a kernel and a program in QEMU. */
@Command(
    name = "machine",
    mixinStandardHelpOptions = true,
    description =
        "Records every instruction of a Linux kernel and a program, in a machine that QEMU makes.")
public final class MachineCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
