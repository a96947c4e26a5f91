package dev.kymo.kernel.daemon;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How a daemon is to be.
 *
 * @param socket where it listens
 * @param clients most connections at a time
 * @param clocks what recordings may be made with, by name
 * @param version of Kymo
 * @param log takes one sentence about each thing that went wrong; any thread
 */
public record DaemonOptions(
    Path socket,
    int clients,
    Map<String, LongSupplier> clocks,
    String version,
    Consumer<String> log) {
  /** Where everybody looks for it. */
  public static final Path SOCKET = Path.of("/run/kymo/kernel");

  /** Connections at a time, unless told otherwise. */
  public static final int CLIENTS = 64;
}
