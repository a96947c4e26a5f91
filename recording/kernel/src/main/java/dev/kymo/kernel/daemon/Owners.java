package dev.kymo.kernel.daemon;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows the owner of every thread: read once, then updated by kernel events. */
final class Owners {
  private static final int PAGE_BITS = 12;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int LARGEST_TID = 1 << 22; // the kernel's own bound

  private final @Nullable Process[][] pages = new Process[LARGEST_TID >> PAGE_BITS][];

  /** Numbers that were reused before their last thread was reported as freed. */
  private final Map<Integer, Integer> reused = new HashMap<>();

  /** What the threads of a process share, and processes that share their memory. */
  private static final class Process {
    long owner;

    Process(long owner) {
      this.owner = owner;
    }
  }

  /** The owners as {@code /proc} shows them now. */
  static Owners scan() {
    Owners owners = new Owners();
    for (int pid : numbers(Path.of("/proc"))) {
      long owner = Credentials.ofTask(pid);
      Process process = new Process(owner == Credentials.GONE ? Credentials.NOBODY : owner);
      owners.put(pid, process);
      for (int tid : numbers(Path.of("/proc", Integer.toString(pid), "task"))) {
        owners.put(tid, process);
      }
    }
    return owners;
  }

  private static List<Integer> numbers(Path folder) {
    List<Integer> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[0-9]*")) {
      for (Path entry : entries) {
        found.add(Integer.parseInt(String.valueOf(entry.getFileName())));
      }
    } catch (IOException | NumberFormatException | java.nio.file.DirectoryIteratorException e) {
      return found; // ended in the meantime
    }
    return found;
  }

  /** The owner of a thread; {@link Credentials#NOBODY} if only root may see it. */
  long of(int tid) {
    Process process = get(tid);
    return process == null ? Credentials.NOBODY : process.owner;
  }

  private @Nullable Process get(int tid) {
    if (tid <= 0 || tid >= LARGEST_TID) {
      return null;
    }
    @Nullable Process[] page = pages[tid >> PAGE_BITS];
    return page == null ? null : page[tid & (PAGE - 1)];
  }

  private void put(int tid, @Nullable Process process) {
    if (tid <= 0 || tid >= LARGEST_TID) {
      return;
    }
    @Nullable Process[] page = pages[tid >> PAGE_BITS];
    if (page == null) {
      page = new Process[PAGE];
      pages[tid >> PAGE_BITS] = page;
    }
    page[tid & (PAGE - 1)] = process;
  }

  /**
   * A thread was made; it has the rights of its maker.
   *
   * @param same whether it is in the same process, or in its memory
   */
  void created(int creator, int tid, boolean same) {
    Process maker = get(creator);
    if (get(tid) != null) {
      reused.merge(tid, 1, Integer::sum);
    }
    put(tid, same && maker != null ? maker : new Process(of(creator)));
  }

  /**
   * The thread, the only one of its process, has this owner.
   *
   * @param owner {@link Credentials#NOBODY} for nobody
   */
  void alone(int tid, long owner) {
    put(tid, new Process(owner));
  }

  /** The thread's process, and all that share its memory, belong to nobody from now on. */
  void hide(int tid) {
    Process process = get(tid);
    if (process != null) {
      process.owner = Credentials.NOBODY;
    }
  }

  void freed(int tid) {
    Integer again = reused.get(tid);
    if (again == null) {
      put(tid, null);
    } else if (again == 1) {
      reused.remove(tid);
    } else {
      reused.put(tid, again - 1);
    }
  }
}
