package dev.kymo.reader;

import java.io.IOException;

/** A recording cannot be opened; the message says why and what to do. */
public final class RecordingException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A complete sentence with the facts as {@code name=value}. */
  public RecordingException(String message) {
    super(message);
  }
}
