package dev.kymo.importers.barrelfish;

import java.io.IOException;

/** A file has no line that a trace log could have. */
public final class NotALogException extends IOException {
  private static final long serialVersionUID = 1;

  NotALogException(String message) {
    super(message);
  }
}
