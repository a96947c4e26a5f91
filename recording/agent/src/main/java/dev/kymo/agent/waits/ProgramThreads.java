package dev.kymo.agent;

import dev.kymo.recorder.OwnThreads;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The platform threads that are there because of the program. Neither Kymo's own are among them nor
 * those of the virtual machine, most of which always wait: they are in the outermost group, or in
 * one that the JDK has made beside the program's. Those that run the program's code all the same,
 * as finalizers do, are.
 *
 * <p>Nothing here locks, since the program may hold any lock forever: so the groups are not asked
 * for their threads, but the threads for their groups.
 */
final class ProgramThreads {
  private static final Set<String> GROUPS_OF_THE_JDK =
      Set.of("InnocuousThreadGroup", "CarrierThreads");

  private final MethodHandle all;
  private final MethodHandle id;
  private final Predicate<Thread> recorded;

  /**
   * Reaches what is not public.
   *
   * @param recorded whether calls of a thread were recorded
   */
  ProgramThreads(Predicate<Thread> recorded) throws ReflectiveOperationException {
    this.recorded = recorded;
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    all = lookup.findStatic(Thread.class, "getThreads", MethodType.methodType(Thread[].class));
    id = lookup.findGetter(Thread.class, "tid", long.class); // its method can be overridden
  }

  /** Those that live, by their numbers. */
  Map<Long, Thread> now() {
    Map<Long, Thread> threads = new LinkedHashMap<>();
    try {
      for (Thread thread : (Thread[]) all.invokeExact()) {
        if (!OwnThreads.isOne(thread.getName()) && isOne(thread, recorded)) {
          threads.put((long) id.invokeExact(thread), thread);
        }
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    return threads;
  }

  /**
   * Whether a thread that is not Kymo's is there because of the program, or has recorded calls.
   *
   * @param recorded whether calls of a thread were recorded
   */
  static boolean isOne(Thread thread, Predicate<Thread> recorded) {
    return !isOfMachine(thread) || recorded.test(thread);
  }

  /**
   * Whether a thread is one of the virtual machine's or the JDK's, which one that has ended hides.
   */
  private static boolean isOfMachine(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    if (group == null) {
      return false;
    }
    ThreadGroup parent = group.getParent();
    boolean outer = parent != null && parent.getParent() == null;
    return parent == null || (outer && GROUPS_OF_THE_JDK.contains(group.getName()));
  }
}
