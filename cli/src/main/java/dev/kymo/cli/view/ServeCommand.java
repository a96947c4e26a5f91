package dev.kymo.cli.view;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.server.KymoServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serves recordings without a browser, and to programs. */
@Command(
    name = "serve",
    description = {
      "Serves recordings as 'kymo view' does, without a browser.",
      "With --api also to notebooks and other programs of this user, which ask in SQL: docs/api.md."
    },
    mixinStandardHelpOptions = true)
public final class ServeCommand extends ServingCommand {
  @Option(
      names = "--api",
      description = "Programs may ask: print the token that they have to send.")
  private boolean api;

  public ServeCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  boolean forPrograms() {
    return api;
  }

  @Override
  void serving(KymoServer server, String place) {
    if (api) {
      terminal.line("Authorization: Bearer " + server.bearer());
    }
    terminal.flush(); // readers of the link need not wait until everything is read
  }
}
