package dev.kymo.states;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The recorded threads by their numbers, and the rule for which are to be recorded. */
final class Tasks {
  /** More than any kernel allows. */
  private static final int MOST = 1 << 22;

  private final boolean all;
  private boolean processes = true;
  private final Set<Integer> roots = new HashSet<>();
  private Task[] byTid = new Task[1 << 10];

  /**
   * No threads yet.
   *
   * @param all whether every thread of the machine is recorded, and not only some processes
   */
  Tasks(boolean all) {
    this.all = all;
  }

  /** Nobody says which process threads belong to. */
  void withoutProcesses() {
    processes = false;
  }

  /** The process of a thread of which nothing is said: its own, or 0 = not known. */
  int itself(int tid) {
    return processes ? tid : 0;
  }

  /** Has this process recorded, and those that it makes. */
  void root(int pid) {
    roots.add(pid);
  }

  /** A recorded thread; null if it is not recorded, or not known yet. */
  @Nullable Task find(int tid) {
    return tid > 0 && tid < byTid.length ? byTid[tid] : null;
  }

  /**
   * A recorded thread; if all threads are recorded, an unknown thread is made from what is known of
   * it.
   */
  @Nullable Task find(int tid, KnownEvent event, int nameField, byte[] bytes, int at, int size) {
    Task known = find(tid);
    return known != null || !all || tid <= 0 || tid >= MOST
        ? known
        : add(tid, itself(tid), event.text(nameField, bytes, at, size));
  }

  /** Whether a new thread is to be recorded. */
  boolean wants(int tid, int creator) {
    return tid > 0 && tid < MOST && (all || find(creator) != null || roots.contains(tid));
  }

  /** Takes a thread; it replaces one with the same number that has ended. */
  Task add(int tid, int pid, String name) {
    Task task = new Task(tid, pid, name);
    if (tid > 0 && tid < MOST) {
      if (tid >= byTid.length) {
        byTid = Arrays.copyOf(byTid, Math.min(MOST, Math.max(tid + 1, byTid.length * 2)));
      }
      byTid[tid] = task;
    }
    return task;
  }

  /** The thread is gone, and its number may be given to another thread. */
  void remove(int tid) {
    if (tid > 0 && tid < byTid.length) {
      byTid[tid] = null;
    }
  }

  void forEach(Consumer<Task> action) {
    for (Task task : byTid) {
      if (task != null) {
        action.accept(task);
      }
    }
  }
}
