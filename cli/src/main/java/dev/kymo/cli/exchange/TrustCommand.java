package dev.kymo.cli.exchange;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.network.send.Destination;
import dev.kymo.network.wire.ReceiverLine;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import dev.kymo.session.network.NetworkPlaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code kymo trust}: remembers a receiver. */
@Command(
    name = "trust",
    mixinStandardHelpOptions = true,
    description = {
      "Remembers a receiver of recordings.",
      "Reads the line that 'kymo listen' printed from its input. The line is a secret; it is not"
          + " an argument, because others see those."
    })
public final class TrustCommand implements Callable<Integer> {
  private final Terminal terminal;

  public TrustCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (Terminal.hasPerson()) {
      terminal.warn("paste the line of 'kymo listen', which begins with kymo://");
    }
    ReceiverLine line = read();
    if (line == null) {
      throw new UsageException(
          "no receiver's line: it has the form kymo://HOST:PORT/FINGERPRINT/TOKEN, and kymo listen prints it");
    }
    Destination.trust(line, NetworkPlaces.trusted());
    terminal.line(
        "trusted %s; now: kymo record --to %s -- COMMAND"
            .formatted(line.address(), line.address()));
    return ExitCode.OK;
  }

  private static @Nullable ReceiverLine read() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      if (!text.isBlank()) {
        return ReceiverLine.of(text);
      }
    }
    return null;
  }
}
