package dev.kymo.cli.record;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.instructions.InstructionDrain;
import java.io.IOException;
import java.nio.file.Path;

/** Compresses chunks in a thread of its own. */
public final class InstructionDraining implements AutoCloseable {
  private static final long PAUSE_MILLIS = 5;

  private final InstructionDrain drain;
  private final Thread thread = Thread.ofPlatform().name("kymo drain").unstarted(this::drain);
  private volatile boolean ending;

  /** Begins. */
  public InstructionDraining(Path traces) throws IOException {
    drain = new InstructionDrain(traces);
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
      Terminal.say("instructions could not be written: " + drain.failure());
    }
  }

  /** Nothing is written any more: compresses the rest. */
  @Override
  public void close() throws InterruptedException {
    ending = true;
    thread.join();
  }
}
