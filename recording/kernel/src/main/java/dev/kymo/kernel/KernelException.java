package dev.kymo.kernel;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Kernel events are not available. The message is for users: what failed, facts, and what to do.
 */
public final class KernelException extends IOException {
  private static final long serialVersionUID = 1;

  public KernelException(String message) {
    super(message);
  }

  public KernelException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
