package dev.kymo.recorder.platform;

import dev.kymo.format.Clock;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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
      if (!name.equals(ProcessorCounter.name())) {
        throw new IllegalStateException(
            "this processor does not have the clock of the recording: clock="
                + name
                + "; record with --clock monotonic");
      }
      if (Runtime.version().feature() < 22) {
        throw new IllegalStateException(
            "Java "
                + Runtime.version().feature()
                + " cannot read the clock of this recording, the processor's counter; record with"
                + " --clock monotonic");
      }
      return AgentLibrary.hasClock()
          ? FastCalls.clock()
          : FastCalls.function(FastCalls.TICKS_OF_COUNTER, 0);
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
}
