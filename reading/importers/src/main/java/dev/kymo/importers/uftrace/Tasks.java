package dev.kymo.importers.uftrace;

import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import dev.kymo.importers.uftrace.data.TaskFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Processes and their tasks, and the tracks of both. */
final class Tasks {
  /** Each process has files of its own. */
  private static final int MOST_PROCESSES = 500;

  private static final int SHARED = -1;

  private final Target target;
  private final TaskFile tasks;
  private final Map<Integer, TargetProcess> processes = new HashMap<>();
  private final Map<Integer, TargetTrack> threads = new HashMap<>();

  Tasks(Target target, TaskFile tasks) {
    this.target = target;
    this.tasks = tasks;
  }

  private TargetProcess process(int pid) throws IOException {
    int place = processes.size() < MOST_PROCESSES || processes.containsKey(pid) ? pid : SHARED;
    TargetProcess known = processes.get(place);
    if (known == null) {
      String program = program(pid);
      known = target.process(pid, tasks.parent(pid), program.isEmpty() ? "?" : program, "native");
      processes.put(place, known);
    }
    return known;
  }

  private String program(int pid) {
    TaskFile.Session session = tasks.session(pid, Long.MAX_VALUE);
    return session == null ? "" : session.program();
  }

  /** The name of a task's program; the newest that it had. */
  String name(int tid) {
    String program = program(tasks.process(tid));
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.isEmpty() ? "task " + tid : name;
  }

  TargetTrack thread(int tid) throws IOException {
    TargetTrack known = threads.get(tid);
    if (known == null) {
      known = process(tasks.process(tid)).thread(tid, name(tid));
      threads.put(tid, known);
    }
    return known;
  }

  /** A task has a name of its own. */
  void name(int tid, String name) throws IOException {
    TargetTrack track = thread(tid);
    track.process().rename(track, tid, name);
  }
}
