package dev.kymo.recorder.platform;

import dev.kymo.format.Clock;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The recording's clock as a method handle of type {@code ()long}. Kept in a static final field of
 * its user the JIT compiles it to the bare instruction.
 */
public final class TickClock {
  private static @Nullable String chosenName;
  private static @Nullable MethodHandle chosen;

  private TickClock() {}

  /**
   * Chooses the clock of this process: all its recordings have the same.
   *
   * @throws IllegalStateException if it cannot be read here, or another one was chosen before
   */
  public static synchronized void choose(String name) {
    if (chosenName != null && !chosenName.equals(name)) {
      throw new IllegalStateException(
          "this process was recorded with another clock before; record with --clock " + chosenName);
    }
    if (chosen == null) {
      chosen = handle(name);
      chosenName = name;
    }
  }

  /** The clock of this process. */
  public static synchronized MethodHandle chosen() {
    MethodHandle handle = chosen;
    if (handle == null) {
      throw new IllegalStateException("the recorder has not been started");
    }
    return handle;
  }

  /**
   * The clock of this name.
   *
   * @throws IllegalStateException if this virtual machine or system cannot read it; the message
   *     says why and what to do
   */
  public static MethodHandle handle(String name) {
    try {
      if (name.equals(Clock.MONOTONIC)) {
        return MethodHandles.lookup()
            .findStatic(System.class, "nanoTime", MethodType.methodType(long.class));
      }
      if (!name.equals(Clock.TSC)) {
        throw new IllegalStateException("unknown clock: name=" + name);
      }
      if (Runtime.version().feature() < 22) {
        throw new IllegalStateException(
            "Java "
                + Runtime.version().feature()
                + " cannot read the clock of this recording, the TSC; record with --clock"
                + " monotonic");
      }
      return AgentLibrary.hasClock() ? FastCalls.clock() : FastCalls.function(0, 0);
    } catch (ReflectiveOperationException e) {
      throw FastCalls.unreadable(e);
    }
  }

  /** Reads a clock once; for places where the cost does not matter. */
  public static long read(MethodHandle clock) {
    try {
      return (long) clock.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether the processor's counter runs evenly on all processors, as the kernel sees it. */
  public static boolean tscIsInvariant() {
    if (!System.getProperty("os.arch", "").equals("amd64")) {
      return false;
    }
    try {
      String source =
          Files.readString(
              Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
      String processor = Files.readString(Path.of("/proc/cpuinfo"));
      return source.trim().equals("tsc")
          && processor.contains(" constant_tsc")
          && processor.contains(" nonstop_tsc");
    } catch (IOException e) {
      return false;
    }
  }
}
