package dev.kymo.session.run;

import dev.kymo.kernel.KernelCapture;
import dev.kymo.kernel.KernelRecording;
import dev.kymo.kernel.KernelSource;
import dev.kymo.kernel.Service;
import dev.kymo.recorder.Session;
import dev.kymo.session.StandardError;
import dev.kymo.session.UsageException;
import dev.kymo.states.KernelStates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The kernel events that are to be recorded.
 *
 * @param services names of services and events, separated by commas
 * @param needed whether there is to be no recording without
 * @param system whether of all processes
 * @param buffer bytes for each processor
 */
public record KernelOptions(String services, boolean needed, boolean system, int buffer) {
  /** The kernel's processes are those of the recording's first one. */
  static final int PROCESS = 1;

  /**
   * What the user wants.
   *
   * @param services names of services and events, separated by commas
   */
  public static KernelOptions of(String services, boolean needed, boolean system, int buffer) {
    try {
      if (Service.parse(services).isEmpty()) {
        throw new UsageException("no kernel services are named");
      }
      return new KernelOptions(services, needed, system, buffer);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  /** Where the events come from; null if they cannot be had and are not needed. */
  @Nullable KernelSource open(String clockName, LongSupplier clock) throws IOException {
    try {
      return KernelPermission.isThere()
          ? KernelCapture.open(
              Service.parse(services), clockName, clock, buffer >> 10, StandardError::say)
          : KernelPermission.daemon(services, clockName, buffer >> 10, system);
    } catch (IOException e) {
      if (needed) {
        throw e;
      }
      StandardError.say(e.getMessage() + "; recording continues without kernel events");
      return null;
    }
  }

  /** The part of a recording that is to hold them. */
  KernelRecording recording(
      KernelSource source, Session session, Path recording, LongSupplier clock) throws IOException {
    String name = System.getProperty("os.name") + " " + System.getProperty("os.version");
    KernelStates.Place streams =
        new KernelStates.Place(recording, session.uuid(), PROCESS, source.processors());
    return KernelRecording.open(
        source, new KernelRecording.Place(streams, system, name, clock), StandardError::say);
  }
}
