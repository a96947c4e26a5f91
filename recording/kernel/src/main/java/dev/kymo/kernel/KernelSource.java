package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.util.List;

/**
 * Where kernel events come from: a tracing instance of this process's own, or somebody who has one.
 * Used by one thread.
 */
public interface KernelSource extends AutoCloseable {
  /** The kinds of events; an event's number is its place here. */
  List<KernelEventFormat> formats();

  /** How many processors the machine can have; their numbers are below that. */
  int processors();

  /**
   * Checks that events of a process can be had.
   *
   * @throws IOException with the reason if not
   */
  default void maySee(long pid) throws IOException {}

  /**
   * Events are recorded from now on.
   *
   * @throws IOException with a message for the user if they cannot be
   */
  void start() throws IOException;

  /**
   * Hands over what there is; waits up to about a tenth of a second for it.
   *
   * @return how many events
   */
  long round(KernelSink sink) throws IOException;

  /**
   * What readers of the recording should know, a sentence each; what was given is not given again.
   */
  default List<String> remarks() {
    return List.of();
  }

  /** Stops, and hands over all that is left. */
  void finish(KernelSink sink) throws IOException;

  /** Leaves nothing behind in the kernel. */
  @Override
  void close() throws IOException;
}
