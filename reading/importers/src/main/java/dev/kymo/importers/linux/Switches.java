package dev.kymo.importers.linux;

import dev.kymo.importers.target.KernelTarget;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Switches of tasks, as the kernel's own event of them, for files that have them as records of
 * their own. Where such a record knows only one task, the other one is taken to be none.
 */
public final class Switches {
  private static final MadeLayout LAYOUT = KnownLayouts.of("sched_switch").orElseThrow();
  private static final long WAITING = 1;
  private static final int PRIORITY = 120;

  private final KernelTarget kernel;
  private final int kind;
  private final Set<Integer> present = new HashSet<>();
  private final long first;

  public Switches(Target target, String system, int processors, long first) throws IOException {
    kernel = target.kernel(system, processors);
    kind = kernel.kind(LAYOUT.format());
    this.first = first;
  }

  /** There is a task from the begin on. */
  public void present(int tid, int pid, String name) throws IOException {
    if (present.add(tid)) {
      kernel.present(tid, pid, name, false, first);
    }
  }

  /** A task begins to run. */
  public void in(int cpu, long time, int tid, String name) throws IOException {
    change(cpu, time, 0, "", 0, tid, name);
  }

  /** A task stops running, because it waits, or because others are to run. */
  public void out(int cpu, long time, int tid, String name, boolean waits) throws IOException {
    change(cpu, time, tid, name, waits ? WAITING : 0, 0, "");
  }

  /**
   * One task stops running, and another one begins; number 0 = none.
   *
   * @param state the kernel's bits of the first one's state: 0 = it would go on running
   */
  public void change(
      int cpu, long time, int from, String fromName, long state, int to, String toName)
      throws IOException {
    byte[] event =
        LAYOUT.event(
            0,
            0,
            from,
            from == 0 ? "swapper/" + cpu : fromName,
            from,
            PRIORITY,
            state,
            to == 0 ? "swapper/" + cpu : toName,
            to,
            PRIORITY);
    kernel.event(cpu, time, kind, event);
  }

  public void lose(int cpu, long time, long count) throws IOException {
    kernel.lose(cpu, time, count);
  }
}
