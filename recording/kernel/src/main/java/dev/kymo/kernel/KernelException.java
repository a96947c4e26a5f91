package dev.kymo.kernel;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Kernel events are not to be had. The message is for users: what failed, facts, and what to do.
 */
public final class KernelException extends IOException {
  private static final long serialVersionUID = 1;

  /** With what the user is told. */
  public KernelException(String message) {
    super(message);
  }

  /** With what the user is told, and what was behind it. */
  public KernelException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
