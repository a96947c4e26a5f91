package dev.kymo.cli.events;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kymo events}: definitions of events of a program's own. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    description = "Definitions of a program's own events.")
public final class EventsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
