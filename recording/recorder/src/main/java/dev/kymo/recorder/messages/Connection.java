package dev.kymo.recorder.messages;

import java.io.FileDescriptor;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * An end of a connection. The JDK reads from a socket under one lock and writes under another, as
 * {@link Traffic} needs it.
 */
final class Connection extends WeakReference<FileDescriptor> {
  /** Its bytes, if they were counted from the first on. */
  final @Nullable Traffic traffic;

  /**
   * A connection through which nothing went so far.
   *
   * @param traffic null for something whose bytes are not counted: a file, or a connection that was
   *     there before
   */
  Connection(FileDescriptor descriptor, @Nullable Traffic traffic) {
    super(descriptor);
    this.traffic = traffic;
  }
}
