package dev.kymo.cli.mcp;

import dev.kymo.model.calls.ProgressListener;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A question that is being answered, as far as others are concerned: they may cancel it. */
final class Asked {
  /** What is said of it then. */
  static final String CANCELLED = "cancelled";

  private final AtomicBoolean cancelled = new AtomicBoolean();

  void cancel() {
    cancelled.set(true);
  }

  boolean isCancelled() {
    return cancelled.get();
  }

  /** Ends long work when the question is cancelled, by a {@link CancellationException}. */
  ProgressListener progress() {
    return (done, total) -> {
      if (isCancelled()) {
        throw new CancellationException(CANCELLED);
      }
    };
  }
}
