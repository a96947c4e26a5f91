package dev.kymo.exporters.source;

import org.jspecify.annotations.Nullable;

/**
 * Takes what one track did, in nanoseconds since the recording's begin. Begins and ends of calls
 * are balanced and nested, and come in the order of time; a user event may come before a call that
 * is earlier, if only the call's end was recorded.
 */
public interface ExportSink {
  /**
   * A call begins.
   *
   * @param data of the user event that began it
   */
  void begin(long time, int method, @Nullable EventData data);

  /** The innermost call ends. */
  void end(EndedCall call);

  /** A user event that neither begins nor ends a call. */
  default void event(long time, EventData data) {}
}
