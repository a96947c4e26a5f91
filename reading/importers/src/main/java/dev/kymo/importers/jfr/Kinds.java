package dev.kymo.importers.jfr;

import dev.kymo.format.WaitKind;
import dev.kymo.importers.jfr.reader.JfrType;
import java.util.Map;
import java.util.Set;

/** Kinds of things that events of a type become, as far as it follows from the type. */
enum Kinds {
  /** A thread was seen at a place. */
  SAMPLE("samples"),
  /** A thread waited; the event is there, too. */
  STATE("states with events"),
  /** A call of a method. */
  CALL("calls"),
  /** The virtual machine did something; the event is there, too. */
  MACHINE("work of the virtual machine with events"),
  /** Values of counters. */
  COUNTER("counters"),
  /** Something that took time. */
  SPAN("spans"),
  /** Something that happened. */
  INSTANT("events");

  private static final Set<String> SAMPLES =
      Set.of(
          "jdk.ExecutionSample",
          "jdk.NativeMethodSample",
          "jdk.CPUTimeSample",
          "jdk.ObjectAllocationSample",
          "jdk.ObjectAllocationInNewTLAB",
          "jdk.ObjectAllocationOutsideTLAB");

  /** By type: what is waited for, and the field that has its name. */
  private static final Map<String, Wait> WAITS =
      Map.of(
          "jdk.JavaMonitorEnter", new Wait(WaitKind.MONITOR.word(), "monitorClass"),
          "jdk.JavaMonitorWait", new Wait(WaitKind.WAIT.word(), "monitorClass"),
          "jdk.ThreadPark", new Wait(WaitKind.PARK.word(), "parkedClass"),
          "jdk.ThreadSleep", new Wait(WaitKind.SLEEP.word(), ""),
          "jdk.SocketRead", new Wait("socket read", "host"),
          "jdk.SocketWrite", new Wait("socket write", "host"),
          "jdk.FileRead", new Wait("file read", "path"),
          "jdk.FileWrite", new Wait("file write", "path"),
          "jdk.FileForce", new Wait("file force", "path"));

  private static final Map<String, Wait> MACHINES =
      Map.of(
          "jdk.GarbageCollection", new Wait("GC", "name"),
          "jdk.GCPhasePause", new Wait("GC pauses", "name"));

  private static final Set<String> COUNTERS =
      Set.of(
          "jdk.CPULoad",
          "jdk.ThreadCPULoad",
          "jdk.ThreadContextSwitchRate",
          "jdk.JavaThreadStatistics",
          "jdk.ClassLoadingStatistics",
          "jdk.PhysicalMemory",
          "jdk.ResidentSetSize",
          "jdk.SwapSpace",
          "jdk.DirectBufferStatistics");

  private static final String PROFILER = "profiler.";

  private final String became;

  /**
   * What a state is called.
   *
   * @param word how it waits
   * @param field that says for what; empty if none does
   */
  record Wait(String word, String field) {}

  Kinds(String became) {
    this.became = became;
  }

  /** What events of this kind have become, plural. */
  String became() {
    return became;
  }

  static Kinds of(JfrType type, boolean lasts, boolean hasStack) {
    String name = type.name();
    if (SAMPLES.contains(name) || (name.startsWith(PROFILER) && hasStack && !lasts)) {
      return SAMPLE;
    }
    if (COUNTERS.contains(name)) {
      return COUNTER;
    }
    if (!lasts) {
      return INSTANT;
    }
    if (WAITS.containsKey(name)) {
      return STATE;
    }
    if (MACHINES.containsKey(name)) {
      return MACHINE;
    }
    return name.equals("jdk.MethodTrace") ? CALL : SPAN;
  }

  /** What the states of a type are called. */
  static Wait wait(JfrType type) {
    Wait wait = WAITS.get(type.name());
    return wait == null ? MACHINES.getOrDefault(type.name(), new Wait("", "")) : wait;
  }
}
