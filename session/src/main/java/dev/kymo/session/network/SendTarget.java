package dev.kymo.session.network;

import dev.kymo.network.send.Destination;
import dev.kymo.network.send.Pipe;
import dev.kymo.network.send.Route;
import dev.kymo.session.UsageException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * To whom recordings are sent.
 *
 * @param address {@code HOST:PORT}, {@code kafka://HOST:PORT/TOPIC}, or - for standard output
 * @param session groups recordings; empty = none
 * @param insecure whether nothing is encrypted, and nobody asks who the receiver is
 * @param settings of Kafka's producer; null = none
 */
public record SendTarget(
    String address, String session, boolean insecure, @Nullable Path settings) {
  private static final String OUTPUT = "-";
  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
  private static final Pattern TERMINAL = Pattern.compile("/dev/(pts|tty|console)");

  /** Whether it is standard output, where nothing else may go then. */
  public boolean isOutput() {
    return OUTPUT.equals(address);
  }

  public Route route() throws IOException {
    if (isOutput()) {
      return output();
    }
    if (!Transports.isMeant(address)) {
      return Destination.of(address, NetworkPlaces.trusted(), NetworkPlaces.own(), insecure);
    }
    try {
      return Transports.of(address).route(address, Transports.settings(settings));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static Route output() throws IOException {
    if (TERMINAL.matcher(Files.readSymbolicLink(STANDARD_OUTPUT).toString()).lookingAt()) {
      throw new UsageException(
          "--to - writes what only 'kymo listen' reads: kymo record --to - -- COMMAND | kymo listen --address - -d DIR");
    }
    return new Pipe(OUTPUT, new FileOutputStream(FileDescriptor.out).getChannel());
  }
}
