package dev.kymo.recorder;

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
final class FastCalls {
  private static final MutableCallSite TICKS = site("readClock", 0);
  private static final MutableCallSite RECORD = site("record", 2);
  private static final MutableCallSite RECORD_ARGUMENT = site("record", 3);

  /** No thread's number. */
  private static final long NOBODY = -1;

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
  static synchronized boolean areUsed() {
    return used;
  }

  /** Reads the counter; the JIT compiler makes the bare instruction of it. */
  static long ticks() throws Throwable {
    return (long) TICKS.getTarget().invokeExact();
  }

  /** As {@link AgentLibrary#record(long, long)}. */
  static long record(long word, long thread) throws Throwable {
    return (long) RECORD.getTarget().invokeExact(word, thread);
  }

  /** As {@link AgentLibrary#record(long, long, long)}. */
  static long record(long word, long thread, long argument) throws Throwable {
    return (long) RECORD_ARGUMENT.getTarget().invokeExact(word, thread, argument);
  }

  /**
   * Makes them fast. Takes a while, and code that was compiled with them anew. Each is called often
   * before: else the JIT compiler does not inline all of the JDK's part in a call, and the handle
   * makes classes for itself when a thread of the program calls it.
   */
  static void speedUp() {
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
    return TickClock.function(AgentLibrary.function(arguments), arguments);
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
