package dev.kymo.testkit;

import dev.kymo.format.Definition;
import dev.kymo.format.Definition.TracedThread;
import java.util.HashMap;
import java.util.Map;

/**
 * What the kernel did with threads, and processors, as a recording has it: a process of its own,
 * whose tracks' calls are states.
 */
public final class KernelTracks {
  private final RecordingBuilder recording;
  private final int process;
  private final Map<String, Integer> methods = new HashMap<>();

  /** Defines the kernel as a process; no tracks yet. */
  public KernelTracks(RecordingBuilder recording, int process) {
    this.recording = recording;
    this.process = process;
    recording.define(process, new Definition.TracedProcess(process, 0, 0, "Linux 6.18.44", ""));
  }

  /** A thread of any process. */
  public KernelTracks thread(int thread, int pid, int tid, String comm) {
    return define(new TracedThread(thread, TracedThread.SCHEDULED, pid, tid, comm));
  }

  /** A processor. */
  public KernelTracks cpu(int thread, int number) {
    return define(new TracedThread(thread, TracedThread.CPU, 0, number, "CPU " + number));
  }

  private KernelTracks define(TracedThread thread) {
    recording.define(process, thread);
    return this;
  }

  /** A state begins. */
  public KernelTracks enter(int thread, long at, String kind, String what) {
    ring(thread).enter(at, method(kind, what));
    return this;
  }

  /** A state ends. */
  public KernelTracks leave(int thread, long at, String kind, String what) {
    ring(thread).leave(at, method(kind, what));
    return this;
  }

  /** A whole state. */
  public KernelTracks state(int thread, long from, long to, String kind, String what) {
    return enter(thread, from, kind, what).leave(thread, to, kind, what);
  }

  /** A whole state of which it is known who ended it. */
  public KernelTracks state(int thread, long from, long to, String kind, String what, int other) {
    enter(thread, from, kind, what);
    ring(thread).detail(to, 0, other);
    return leave(thread, to, kind, what);
  }

  private StreamWriter ring(int thread) {
    return recording.ring(process, thread, thread);
  }

  private int method(String kind, String what) {
    return methods.computeIfAbsent(
        kind + ' ' + what,
        k -> {
          int method = methods.size() + 1;
          recording.define(process, new Definition.Type(method, kind, "", ""));
          recording.define(process, new Definition.Method(method, method, 0, 0, what, ""));
          return method;
        });
  }
}
