package dev.kymo.cli.mcp;

import java.util.concurrent.atomic.AtomicBoolean;

/** A question that is being answered, as far as others are concerned: they may cancel it. */
final class Asked {
  private final AtomicBoolean cancelled = new AtomicBoolean();

  void cancel() {
    cancelled.set(true);
  }

  boolean isCancelled() {
    return cancelled.get();
  }
}
