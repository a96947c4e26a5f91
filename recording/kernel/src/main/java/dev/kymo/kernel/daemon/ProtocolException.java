package dev.kymo.kernel.daemon;

import java.io.IOException;

/** What came over the socket is not what was agreed on; nothing that follows can be understood. */
final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1;

  ProtocolException(String message) {
    super(message);
  }
}
