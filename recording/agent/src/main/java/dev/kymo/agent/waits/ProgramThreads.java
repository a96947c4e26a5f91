package dev.kymo.agent.waits;

import dev.kymo.recorder.platform.RecorderThreads;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The platform threads that exist because of the program. Kymo's own threads are not among them.
 * Nor are those of the virtual machine, most of which always wait: they are in the outermost group,
 * or in a group that the JDK has made beside the program's group. Threads of the virtual machine
 * that run the program's code, as finalizers do, are included.
 *
 * <p>Nothing here takes a lock, because the program may hold any lock forever. So this asks threads
 * for their groups, not groups for their threads.
 */
final class ProgramThreads {
  private static final Set<String> GROUPS_OF_THE_JDK =
      Set.of("InnocuousThreadGroup", "CarrierThreads");

  private final MethodHandle all;
  private final MethodHandle id;
  private final Predicate<Thread> recorded;

  /**
   * Finds the JDK's members that are not public.
   *
   * @param recorded whether calls of a thread were recorded
   */
  ProgramThreads(Predicate<Thread> recorded) throws ReflectiveOperationException {
    this.recorded = recorded;
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    all = lookup.findStatic(Thread.class, "getThreads", MethodType.methodType(Thread[].class));
    id = lookup.findGetter(Thread.class, "tid", long.class); // the method can be overridden
  }

  /** The living threads of the program, by number. */
  Map<Long, Thread> now() {
    Map<Long, Thread> threads = new LinkedHashMap<>();
    try {
      for (Thread thread : (Thread[]) all.invokeExact()) {
        if (!RecorderThreads.isOne(thread.getName()) && isOne(thread, recorded)) {
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
   * Whether a thread that is not Kymo's exists because of the program, or has recorded calls.
   *
   * @param recorded whether calls of a thread were recorded
   */
  static boolean isOne(Thread thread, Predicate<Thread> recorded) {
    return !isOfMachine(thread) || recorded.test(thread);
  }

  /**
   * Whether a thread belongs to the virtual machine or the JDK; not known of a thread that has
   * ended.
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
