package dev.kymo.kernel.daemon;

import java.io.IOException;

/** The bytes on the socket do not follow the protocol; nothing after them can be understood. */
final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1;

  ProtocolException(String message) {
    super(message);
  }
}
