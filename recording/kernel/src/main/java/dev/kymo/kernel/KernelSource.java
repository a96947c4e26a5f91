package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.util.List;

/**
 * A source of kernel events: a tracing instance of this process's own, or a daemon that has one.
 * Used by one thread.
 */
public interface KernelSource extends AutoCloseable {
  /** The kinds of events; an event's number is its place here. */
  List<KernelEventFormat> formats();

  /** Number of processors that the machine can have; their numbers are below it. */
  int processors();

  /**
   * Checks that events of a process are available.
   *
   * @throws IOException with the reason if not
   */
  default void maySee(long pid) throws IOException {}

  /**
   * Records events from now on.
   *
   * @throws IOException with a message for the user if they cannot be recorded
   */
  void start() throws IOException;

  /**
   * Delivers the events that have come; waits up to about a tenth of a second for them.
   *
   * @return how many events
   */
  long round(KernelSink sink) throws IOException;

  /** What readers of the recording should know, a sentence each; no sentence is given twice. */
  default List<String> remarks() {
    return List.of();
  }

  /** Stops, and delivers everything left. */
  void finish(KernelSink sink) throws IOException;

  /** Leaves nothing behind in the kernel. */
  @Override
  void close() throws IOException;
}
