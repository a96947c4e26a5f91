package dev.kymo.drain;

import dev.kymo.format.ControlLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the processes whose folders are in the shared memory, also those that know only the numbers
 * of their container. A process is looked for once: it keeps its number.
 */
public final class Owners {
  private final LongPredicate mayBe;
  private final Map<Path, Integer> numbers = new HashMap<>();
  private @Nullable InnerNumbers inner;

  /**
   * Has found none yet.
   *
   * @param mayBe whether a process is taken for the owner if it has the right number, was there
   *     before this one, and cannot be looked into
   */
  public Owners(LongPredicate mayBe) {
    this.mayBe = mayBe;
  }

  /**
   * The process whose folder this is.
   *
   * @param pid its number here; 0 if it had ended when it was looked for
   * @param isRunning whether it runs and is recorded
   */
  public record Owner(long pid, boolean isRunning) {}

  /** Before the folders are looked at again. */
  public void look() {
    inner = null;
  }

  /** The process whose folder this is; null if the folder is just being made, or removed. */
  public @Nullable Owner owner(Path folder) {
    try (Home home = Home.open(folder)) {
      ByteBuffer control = home.control();
      if (control == null) {
        return null;
      }
      int pid =
          numbers.computeIfAbsent(
              folder, none -> here(control.getInt(ControlLayout.PID_OFFSET), folder));
      boolean isRunning =
          control.getInt(ControlLayout.STATE_OFFSET) == ControlLayout.RUNNING
              && Home.isAlive(pid, control.getLong(ControlLayout.BEGUN_BY_OFFSET));
      return new Owner(pid, isRunning);
    } catch (IOException e) {
      return null;
    }
  }

  private int here(int claimed, Path folder) {
    InnerNumbers now = inner;
    if (now == null) {
      now = new InnerNumbers();
      inner = now;
    }
    return now.here(claimed, folder, mayBe);
  }
}
