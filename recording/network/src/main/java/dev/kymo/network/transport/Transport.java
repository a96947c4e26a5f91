package dev.kymo.network.transport;

import dev.kymo.network.listen.Retention;
import dev.kymo.network.send.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * A system that keeps messages, in the place of our own receiver. Found by {@link
 * java.util.ServiceLoader} in a directory of the installation that is named after it.
 */
public interface Transport {
  /** What addresses begin with: {@code kafka} for {@code kafka://BROKERS/TOPIC}. */
  String name();

  /**
   * Where to send.
   *
   * @param address with the name
   * @param settings the system's own, from the user
   * @throws IllegalArgumentException if the address is not valid; the message is for the user
   */
  Route route(String address, Properties settings);

  /**
   * Begins to receive.
   *
   * @param address with the name
   * @param settings the system's own, from the user
   * @param target where recordings go
   * @throws IllegalArgumentException if the address is not valid
   * @throws IOException if the system cannot be reached
   */
  Receiving receive(String address, Properties settings, Target target) throws IOException;

  /**
   * Where recordings go.
   *
   * @param directory must exist
   * @param group receivers with the same name share what comes; each other one gets everything
   * @param kept how much is kept of what was received
   * @param log takes a line about each recording that begins or is complete, and each trouble
   */
  record Target(Path directory, String group, Retention kept, Consumer<String> log) {}

  /** What is being received. */
  interface Receiving extends AutoCloseable {
    /** Ends it; what was received is on disk. */
    @Override
    void close() throws IOException;
  }
}
