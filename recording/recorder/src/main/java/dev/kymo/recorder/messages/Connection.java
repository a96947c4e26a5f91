package dev.kymo.recorder.messages;

import java.io.FileDescriptor;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An end of a connection. The JDK reads from a socket under one lock and writes under another, as
 * {@link Traffic} needs it.
 */
final class Connection extends WeakReference<FileDescriptor> {
  /** Its bytes, if they were counted from the first on. */
  final @Nullable Traffic traffic;

  /** Data of the event that says whose ends these are, until somebody writes it. */
  private final AtomicReference<byte @Nullable []> ends;

  /**
   * A connection through which nothing went so far.
   *
   * @param traffic null for something whose bytes are not counted: a file, or a connection that was
   *     there before
   * @param ends data of the event that says whose ends these are; null: there is none
   */
  Connection(FileDescriptor descriptor, @Nullable Traffic traffic, byte @Nullable [] ends) {
    super(descriptor);
    this.traffic = traffic;
    this.ends = new AtomicReference<>(ends);
  }

  /** The data of the event, for the one who writes it. */
  byte @Nullable [] takeEnds() {
    return ends.getAndSet(null);
  }
}
