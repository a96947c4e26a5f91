package dev.kymo.kernel.daemon;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The settings of a daemon.
 *
 * @param socket where it listens
 * @param clients maximum number of connections at a time
 * @param clocks clocks that recordings may use, by name
 * @param version of Kymo
 * @param log takes one sentence about each thing that went wrong; any thread
 */
public record DaemonOptions(
    Path socket,
    int clients,
    Map<String, LongSupplier> clocks,
    String version,
    Consumer<String> log) {
  /** Where clients look for it by default. */
  public static final Path SOCKET = Path.of("/run/kymo/kernel");

  /** Default number of connections at a time. */
  public static final int CLIENTS = 64;
}
