package dev.kymo.importers.perf;

import dev.kymo.importers.linux.FormattedEvents;
import dev.kymo.importers.linux.Switches;
import dev.kymo.importers.linux.metadata.KernelMetadata;
import dev.kymo.importers.perf.records.PerfData;
import dev.kymo.importers.perf.records.PerfFeatures;
import dev.kymo.importers.perf.records.PerfRecord;
import dev.kymo.importers.target.KernelTarget;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's part of a perf.data: samples of tracepoints are its events; where there is none of
 * switches, perf's own records of them give states of threads and processors.
 */
final class PerfKernel {
  /** More than any kernel has. */
  private static final int MOST_PROCESSORS = 4096;

  private static final int COMMON_BYTES = 8;
  private static final String SWITCH = "sched:sched_switch";
  private static final long WAITS = 1;
  private static final long DEAD = 16;

  private final Target target;
  private final PerfData data;
  private final long first;
  private final Map<Integer, Known> threads = new HashMap<>();
  private final Map<Long, FormattedEvents.Kind> kinds = new HashMap<>();
  private @Nullable KernelTarget kernel;
  private @Nullable FormattedEvents events;
  private @Nullable Switches switches;

  /** Threads that run, by processor; -1 = not known. */
  private int[] running = {};

  private int processors;

  private record Known(int pid, String name) {}

  /**
   * No events yet.
   *
   * @param first time of the first event, or before it
   */
  PerfKernel(Target target, PerfData data, long first) {
    this.target = target;
    this.data = data;
    this.first = first;
  }

  void named(int pid, int tid, String name) {
    threads.put(tid, new Known(pid, name));
  }

  /** A new thread has its parent's name, until it has its own. */
  void forked(int pid, int tid, int parent) {
    Known by = threads.get(parent);
    threads.putIfAbsent(tid, new Known(pid, by == null ? "" : by.name));
  }

  /** The name of a thread; perf gives one that has ended a negative number. */
  String name(int tid) {
    if (tid < 0) {
      return "ended threads";
    }
    Known known = threads.get(tid);
    return tid == 0 ? "swapper" : known == null ? "thread " + tid : known.name;
  }

  /**
   * Takes a sample if it is an event of the kernel of which the file has the format.
   *
   * @param time nanoseconds
   */
  boolean take(PerfRecord.Sample sample, long time) throws IOException {
    KernelMetadata metadata = data.features().kernel();
    byte[] raw = sample.raw();
    if (metadata == null || raw.length < COMMON_BYTES || !isKnown(sample.cpu())) {
      return false;
    }
    FormattedEvents known = events;
    if (known == null) {
      known = new FormattedEvents(target, kernel(), metadata, this::name);
      events = known;
    }
    long config = sample.event().attribute().config();
    int id = (int) config;
    if (id != config || !known.has(id)) {
      return false;
    }
    FormattedEvents.Kind kind = kinds.get(config);
    if (kind == null) {
      kind = known.kind(id, "");
      kinds.put(config, kind);
    }
    known.take(kind, sample.cpu(), time, raw, 0, raw.length);
    return true;
  }

  private boolean isKnown(int cpu) throws IOException {
    if (processors == 0) {
      int said = data.features().processors();
      processors = Math.min(said > 0 ? said : data.countProcessors(), MOST_PROCESSORS);
      running = new int[processors];
      Arrays.fill(running, -1);
    }
    return cpu >= 0 && cpu < processors;
  }

  private static String system(PerfFeatures features) {
    return "Linux " + features.release();
  }

  private KernelTarget kernel() throws IOException {
    KernelTarget known = kernel;
    if (known == null) {
      known = target.kernel(system(data.features()), processors);
      kernel = known;
      for (Map.Entry<Integer, Known> thread : threads.entrySet()) {
        if (thread.getKey() > 0) {
          Known of = thread.getValue();
          known.present(thread.getKey(), of.pid, of.name, false, first);
        }
      }
    }
    return known;
  }

  /** Takes a switch if no tracepoint has the switches. */
  boolean take(PerfRecord.Switch by) throws IOException {
    Switches to = switches;
    if (!isKnown(by.cpu()) || (to == null && isTraced())) {
      return false;
    }
    if (to == null) {
      to = new Switches(target, system(data.features()), processors, first);
      switches = to;
      kernel();
    }
    int before = running[by.cpu()];
    int next = by.out() ? Math.max(0, by.other()) : Math.max(0, by.tid());
    if (by.out()) {
      boolean ended = by.tid() < 0;
      long state = ended ? DEAD : by.preempted() ? 0 : WAITS;
      change(to, by, ended ? Math.max(0, before) : by.tid(), state, next);
    } else if (before != next) { // else it was said when the other one stopped
      change(to, by, Math.max(0, by.other()), 0, next);
    }
    running[by.cpu()] = next;
    return true;
  }

  private boolean isTraced() {
    return data.features().kernel() != null && data.records(SWITCH);
  }

  private void change(Switches to, PerfRecord.Switch by, int from, long state, int next)
      throws IOException {
    present(to, from);
    present(to, next);
    to.change(by.cpu(), by.time(), from, name(from), state, next, name(next));
  }

  private void present(Switches to, int tid) throws IOException {
    Known known = threads.get(tid);
    if (tid > 0 && known != null) {
      to.present(tid, known.pid, known.name);
    }
  }

  /** Takes a loss if it is one of the kernel's events. */
  boolean take(PerfRecord.Lost lost, long time) throws IOException {
    KernelTarget known = kernel;
    FormattedEvents formatted = events;
    if (known == null || !isKnown(lost.cpu())) {
      return false;
    }
    known.lose(lost.cpu(), time, lost.count());
    if (formatted != null) {
      formatted.forget(time);
    }
    running[lost.cpu()] = -1;
    return true;
  }

  /** Says how many events there were. */
  void end() {
    FormattedEvents known = events;
    if (known != null) {
      known.end();
    }
  }
}
