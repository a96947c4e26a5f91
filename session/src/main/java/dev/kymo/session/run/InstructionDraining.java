package dev.kymo.session.run;

import dev.kymo.instructions.completion.InstructionDrain;
import dev.kymo.instructions.completion.Kept;
import dev.kymo.session.StandardError;
import java.io.IOException;
import java.nio.file.Path;

/** Compresses chunks in a thread of its own. */
public final class InstructionDraining implements AutoCloseable {
  private static final long PAUSE_MILLIS = 5;

  private final InstructionDrain drain;
  private final Thread thread = Thread.ofPlatform().name("kymo drain").unstarted(this::drain);
  private volatile boolean ending;

  /** Begins; all chunks stay. */
  public InstructionDraining(Path traces) throws IOException {
    this(traces, Kept.ALL);
  }

  /**
   * Begins.
   *
   * @param kept what stays
   */
  public InstructionDraining(Path traces, Kept kept) throws IOException {
    drain = new InstructionDrain(traces, kept);
    thread.start();
  }

  private void drain() {
    try (drain) {
      while (!ending) {
        if (drain.round() == 0) {
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says it if chunks could not be written. */
  public void sayFailure() {
    if (drain.failure() != null) {
      StandardError.say("instructions could not be written: " + drain.failure());
    }
  }

  /** Nothing is written any more: compresses the rest. */
  @Override
  public void close() throws InterruptedException {
    ending = true;
    thread.join();
  }
}
