package dev.kymo.importers.linux;

import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracks of threads, one for each, in their processes as far as they are known. All threads of
 * unknown processes, and those of too many, are in one.
 */
public final class ThreadTracks {
  /** Each process has files of its own. */
  private static final int MOST_PROCESSES = 256;

  private final Target target;
  private final String others;
  private final Map<Integer, TargetTrack> threads = new HashMap<>();
  private final Map<Integer, TargetProcess> processes = new HashMap<>();
  private @Nullable TargetProcess unknown;

  /**
   * No tracks yet.
   *
   * @param others name of the process for threads of unknown processes
   */
  public ThreadTracks(Target target, String others) {
    this.target = target;
    this.others = others;
  }

  /** The process with a number; 0 = unknown. */
  public TargetProcess process(int pid, String name) throws IOException {
    TargetProcess known = processes.get(pid);
    if (known != null) {
      return known;
    }
    if (pid <= 0 || processes.size() >= MOST_PROCESSES) {
      return unknown();
    }
    TargetProcess process = target.process(pid, 0, name, "");
    processes.put(pid, process);
    return process;
  }

  private TargetProcess unknown() throws IOException {
    TargetProcess known = unknown;
    if (known == null) {
      known = target.process(0, 0, others, "");
      unknown = known;
    }
    return known;
  }

  /**
   * The track of a thread.
   *
   * @param tid 0 = what a processor does when it has nothing to do
   * @param pid of its process, if that is known by the first use of the track, else 0
   */
  public TargetTrack thread(int cpu, int tid, int pid, String name) throws IOException {
    int key = tid > 0 ? tid : -1 - cpu;
    TargetTrack known = threads.get(key);
    if (known == null) {
      TargetProcess process = process(pid, name);
      known = tid > 0 ? process.thread(tid, name) : process.track("idle CPU " + cpu);
      threads.put(key, known);
    }
    return known;
  }
}
