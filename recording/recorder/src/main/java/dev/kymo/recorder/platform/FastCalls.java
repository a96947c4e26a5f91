package dev.kymo.recorder.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.Collections;

/**
 * Functions of the agent's library that read the processor's counter, and record. {@code
 * java.lang.foreign}, which calls them as fast as C does, takes some 60 ms to begin; so native
 * methods do until {@link #speedUp}.
 */
public final class FastCalls {
  private static final MutableCallSite TICKS = site("readClock", 0);
  private static final MutableCallSite RECORD = site("record", 2);
  private static final MutableCallSite RECORD_ARGUMENT = site("record", 3);

  /** Where the agent puts {@code TscClock}. */
  private static final String TSC_IN_JDK = "java.lang.KymoTsc";

  /** No thread's number. */
  private static final long NOBODY = -1;

  /** Stands for a function that reads the processor's counter. */
  static final long TICKS_OF_COUNTER = 0;

  /** Stands for a function that reads the counter's frequency. */
  static final long FREQUENCY = 1;

  private static final int WARM_UP_CALLS = 3000;

  private static final MethodHandle CLOCK = method(FastCalls.class, "ticks", 0);

  private static boolean used;

  private FastCalls() {}

  /** A handle of type {@code ()long} that reads the counter, slowly at first. */
  static synchronized MethodHandle clock() {
    used = true;
    return CLOCK;
  }

  /** Whether this clock is the recording's, so that C may record. */
  public static synchronized boolean areUsed() {
    return used;
  }

  /** Reads the counter; the JIT compiler makes the bare instruction of it. */
  static long ticks() throws Throwable {
    return (long) TICKS.getTarget().invokeExact();
  }

  /** As {@link AgentLibrary#record(long, long)}. */
  public static long record(long word, long thread) throws Throwable {
    return (long) RECORD.getTarget().invokeExact(word, thread);
  }

  /** As {@link AgentLibrary#record(long, long, long)}. */
  public static long record(long word, long thread, long argument) throws Throwable {
    return (long) RECORD_ARGUMENT.getTarget().invokeExact(word, thread, argument);
  }

  /**
   * Makes the functions fast. This takes a while, and code that was compiled with them is compiled
   * again. Each function is called often beforehand: otherwise the JIT compiler does not inline all
   * of the JDK's part in a call, and the handle makes classes for itself when a thread of the
   * program calls it.
   */
  public static void speedUp() {
    if (areUsed()) {
      MethodHandle ticks = linked(0);
      MethodHandle record = linked(2);
      MethodHandle recordArgument = linked(3);
      try {
        for (int i = 0; i < WARM_UP_CALLS; i++) {
          long unused = (long) ticks.invokeExact() + (long) CLOCK.invokeExact();
          unused = (long) record.invokeExact(0L, NOBODY);
          unused = (long) recordArgument.invokeExact(0L, NOBODY, 0L);
        }
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
      TICKS.setTarget(ticks);
      RECORD.setTarget(record);
      RECORD_ARGUMENT.setTarget(recordArgument);
      MutableCallSite.syncAll(new MutableCallSite[] {TICKS, RECORD, RECORD_ARGUMENT});
    }
  }

  private static MethodHandle linked(int arguments) {
    return function(AgentLibrary.function(arguments), arguments);
  }

  /**
   * A function in C that takes numbers and returns one, as a method handle.
   *
   * @param code its address; or, if it takes none, {@link #TICKS_OF_COUNTER} or {@link #FREQUENCY}
   */
  static MethodHandle function(long code, int arguments) {
    try {
      return (MethodHandle)
          tscClass().getMethod("handle", long.class, int.class).invoke(null, code, arguments);
    } catch (ReflectiveOperationException e) {
      throw unreadable(e);
    }
  }

  static IllegalStateException unreadable(ReflectiveOperationException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new IllegalStateException("cannot read the clock: " + cause, cause);
  }

  private static Class<?> tscClass() throws ClassNotFoundException {
    try {
      return Class.forName(TSC_IN_JDK, true, null);
    } catch (ClassNotFoundException e) {
      return Class.forName("dev.kymo.recorder.platform.TscClock");
    }
  }

  private static MutableCallSite site(String name, int arguments) {
    return new MutableCallSite(method(AgentLibrary.class, name, arguments));
  }

  private static MethodHandle method(Class<?> type, String name, int arguments) {
    try {
      MethodType numbers =
          MethodType.methodType(long.class, Collections.nCopies(arguments, long.class));
      return MethodHandles.lookup().findStatic(type, name, numbers);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
