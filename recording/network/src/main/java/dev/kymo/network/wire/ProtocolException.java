package dev.kymo.network.wire;

import java.io.IOException;

/** The other side says what it may not say. */
public final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1;

  public ProtocolException(String message) {
    super(message);
  }
}
