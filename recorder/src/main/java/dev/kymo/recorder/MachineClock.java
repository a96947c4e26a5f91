package dev.kymo.recorder;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/**
 * The processor's counter from the program's first moment on. {@code java.lang.foreign}, which
 * reads it as fast as C does, takes some 60 ms to begin; so the agent's library reads it by a
 * native method until {@link #speedUp}.
 */
final class MachineClock {
  private static final MethodType TYPE = MethodType.methodType(long.class);
  private static final MutableCallSite SITE =
      new MutableCallSite(method(AgentLibrary.class, "readClock"));

  private static boolean used;

  private MachineClock() {}

  /** A handle of type {@code ()long} that reads the counter, slowly at first. */
  static synchronized MethodHandle handle() {
    used = true;
    return method(MachineClock.class, "ticks");
  }

  /** Reads the counter; the JIT compiler makes the bare instruction of it. */
  static long ticks() throws Throwable {
    return (long) SITE.getTarget().invokeExact();
  }

  /** Makes reading fast. Takes a while, and code that was compiled with the clock anew. */
  static synchronized void speedUp() {
    if (used) {
      used = false;
      SITE.setTarget(TickClock.counter(AgentLibrary.clockAddress()));
      MutableCallSite.syncAll(new MutableCallSite[] {SITE});
    }
  }

  private static MethodHandle method(Class<?> type, String name) {
    try {
      return MethodHandles.lookup().findStatic(type, name, TYPE);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
