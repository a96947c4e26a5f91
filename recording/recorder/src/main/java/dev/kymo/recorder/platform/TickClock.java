package dev.kymo.recorder;

import dev.kymo.format.Clock;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The recording's clock as a method handle of type {@code ()long}. Kept in a static final field of
 * its user the JIT compiles it to the bare instruction.
 */
public final class TickClock {
  /** Where the agent puts {@code TscClock}. */
  public static final String TSC_IN_JDK = "java.lang.KymoTsc";

  private TickClock() {}

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
                + " cannot read the clock of this recording, the TSC; record with --clock monotonic");
      }
      return AgentLibrary.hasClock() ? FastCalls.clock() : function(0, 0);
    } catch (ReflectiveOperationException e) {
      throw unreadable(e);
    }
  }

  /**
   * A function in C that takes numbers and returns one, as a method handle.
   *
   * @param code its address; 0, if it takes none, for one that reads the processor's counter
   */
  static MethodHandle function(long code, int arguments) {
    try {
      return (MethodHandle)
          tscClass().getMethod("handle", long.class, int.class).invoke(null, code, arguments);
    } catch (ReflectiveOperationException e) {
      throw unreadable(e);
    }
  }

  private static IllegalStateException unreadable(ReflectiveOperationException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new IllegalStateException("cannot read the clock: " + cause, cause);
  }

  private static Class<?> tscClass() throws ClassNotFoundException {
    try {
      return Class.forName(TSC_IN_JDK, true, null);
    } catch (ClassNotFoundException e) {
      return Class.forName("dev.kymo.recorder.TscClock");
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
