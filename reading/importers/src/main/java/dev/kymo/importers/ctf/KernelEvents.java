package dev.kymo.importers.ctf;

import dev.kymo.importers.ctf.stream.CtfEventKind;
import dev.kymo.importers.ctf.stream.CtfStream;
import dev.kymo.importers.ctf.stream.CtfTrace;
import dev.kymo.importers.ctf.stream.Leaf;
import dev.kymo.importers.target.KernelTarget;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events of LTTng's kernel tracer: they become events of the kernel, with its own names. */
final class KernelEvents {
  private static final int MOST_PROCESSORS = 4096;

  /** What {@code lttng_statedump_process_state} says of a thread that waits. */
  private static final long WAITS = 5;

  private final KernelTarget kernel;
  private final Set<CtfTrace> traces;
  private final @Nullable KernelPlan[] plans;

  /** The thread that runs on each processor; 0 = not known, or none. */
  private final int[] running;

  private final Set<Integer> seen = new HashSet<>();

  private KernelEvents(KernelTarget kernel, Set<CtfTrace> traces, int processors, int kinds) {
    this.kernel = kernel;
    this.traces = traces;
    this.plans = new KernelPlan[kinds];
    this.running = new int[processors];
  }

  /** What takes the events of the kernel; null if no trace is of a kernel. */
  static @Nullable KernelEvents of(
      Target target, List<CtfTrace> traces, List<CtfStream> streams, int kinds) throws IOException {
    Set<CtfTrace> kernels = new HashSet<>();
    int processors = 0;
    for (CtfStream stream : streams) {
      boolean fits = stream.cpu() >= 0 && stream.cpu() < MOST_PROCESSORS;
      if (fits && isKernel(stream.trace())) {
        kernels.add(stream.trace());
        processors = Math.max(processors, stream.cpu() + 1);
      }
    }
    if (kernels.isEmpty()) {
      return null;
    }
    String release = Environment.first(traces, "kernel_release");
    KernelTarget kernel = target.kernel(("Linux " + release).strip(), processors);
    return new KernelEvents(kernel, kernels, processors, kinds);
  }

  /** Older traces have no environment; their events' names tell. */
  private static boolean isKernel(CtfTrace trace) {
    String domain = trace.classes().environment("domain");
    if (!domain.isEmpty()) {
      return domain.equals("kernel");
    }
    return trace.classes().streams().values().stream()
        .flatMap(stream -> stream.events().values().stream())
        .anyMatch(event -> event.name().equals("sched_switch"));
  }

  boolean takes(CtfStream in) {
    int cpu = in.cpu();
    return cpu >= 0 && cpu < running.length && traces.contains(in.trace());
  }

  /** Takes an event; returns what it became. */
  String event(CtfStream in, CtfEventKind kind, long clock) throws IOException {
    KernelPlan plan = plans[kind.number()];
    if (plan == null) {
      plan = new KernelPlan(kind);
      plan.number = kernel.kind(plan.format());
      plans[kind.number()] = plan;
    }
    int cpu = in.cpu();
    int tid = plan.tid == null ? running[cpu] : (int) in.number(plan.tid.slot());
    if (plan.previous != null && plan.next != null) {
      tid = (int) in.number(plan.previous.slot());
      running[cpu] = (int) in.number(plan.next.slot());
      seen.add(tid);
      seen.add(running[cpu]);
    } else if (plan.isState) {
      state(in, kind, clock);
    }
    kernel.event(cpu, clock, plan.number, plan.bytes(in, tid));
    return "kernel events";
  }

  /** A thread that exists. */
  private void state(CtfStream in, CtfEventKind kind, long clock) throws IOException {
    int tid = (int) number(in, kind, "tid");
    if (!seen.add(tid)) {
      return;
    }
    Leaf name = kind.find("name");
    String text =
        name != null && in.object(name.slot()) instanceof byte[] bytes
            ? new String(bytes, StandardCharsets.UTF_8)
            : "";
    boolean waits = number(in, kind, "status") == WAITS;
    kernel.present(tid, (int) number(in, kind, "pid"), text, waits, clock);
  }

  private static long number(CtfStream in, CtfEventKind kind, String name) {
    Leaf leaf = kind.find(name);
    return leaf == null || leaf.kind() != Leaf.Kind.INTEGER ? 0 : in.number(leaf.slot());
  }

  void lose(CtfStream in, long clock, long count) throws IOException {
    Arrays.fill(running, in.cpu(), in.cpu() + 1, 0);
    kernel.lose(in.cpu(), clock, count);
  }
}
