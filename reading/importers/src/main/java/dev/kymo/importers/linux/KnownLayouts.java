package dev.kymo.importers.linux;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Layouts of the events from which states of threads and processors are made, with the fields and
 * sizes of Linux, and the subsystems of events that traces name without them.
 */
public final class KnownLayouts {
  private static final Map<String, MadeLayout> LAYOUTS =
      Map.ofEntries(
          entry(
              comm(MadeLayout.of("sched", "sched_switch"), "prev")
                  .number("long", "prev_state", 8, true)
                  .text("next_comm", 16)
                  .number("pid_t", "next_pid", 4, true)
                  .number("int", "next_prio", 4, true)),
          entry(woken("sched_waking")),
          entry(woken("sched_wakeup")),
          entry(woken("sched_wakeup_new")),
          entry(
              MadeLayout.of("task", "task_newtask")
                  .number("pid_t", "pid", 4, true)
                  .text("comm", 16)
                  .number("unsigned long", "clone_flags", 8, false)
                  .number("short", "oom_score_adj", 2, true)),
          entry(
              MadeLayout.of("task", "task_rename")
                  .number("pid_t", "pid", 4, true)
                  .text("oldcomm", 16)
                  .text("newcomm", 16)
                  .number("short", "oom_score_adj", 2, true)),
          entry(
              MadeLayout.of("sched", "sched_process_fork")
                  .text("comm", 16)
                  .number("pid_t", "pid", 4, true)
                  .text("child_comm", 16)
                  .number("pid_t", "child_pid", 4, true)),
          entry(
              MadeLayout.of("sched", "sched_process_exec")
                  .text("filename")
                  .number("pid_t", "pid", 4, true)
                  .number("pid_t", "old_pid", 4, true)),
          entry(ended("sched_process_exit")),
          entry(ended("sched_process_free")),
          entry(
              MadeLayout.of("irq", "irq_handler_entry").number("int", "irq", 4, true).text("name")),
          entry(
              MadeLayout.of("irq", "irq_handler_exit")
                  .number("int", "irq", 4, true)
                  .text("ret", 16)),
          entry(vector("softirq_entry")),
          entry(vector("softirq_exit")),
          entry(vector("softirq_raise")));

  private static final Map<String, String> SUBSYSTEMS =
      Map.of(
          "sched_", "sched",
          "task_", "task",
          "irq_", "irq",
          "softirq_", "irq",
          "cpu_", "power",
          "sys_enter_", "syscalls",
          "sys_exit_", "syscalls",
          "page_fault_", "exceptions",
          "hrtimer_", "timer",
          "workqueue_", "workqueue");

  private static final Set<String> VECTORS =
      Set.of("local_timer", "reschedule", "call_function", "call_function_single", "irq_work");

  private KnownLayouts() {}

  private static Map.Entry<String, MadeLayout> entry(MadeLayout.Builder builder) {
    MadeLayout layout = builder.build();
    return Map.entry(layout.format().name(), layout);
  }

  private static MadeLayout.Builder comm(MadeLayout.Builder to, String who) {
    return to.text(who + "_comm", 16)
        .number("pid_t", who + "_pid", 4, true)
        .number("int", who + "_prio", 4, true);
  }

  private static MadeLayout.Builder woken(String name) {
    return MadeLayout.of("sched", name)
        .text("comm", 16)
        .number("pid_t", "pid", 4, true)
        .number("int", "prio", 4, true)
        .number("int", "success", 4, true)
        .number("int", "target_cpu", 4, true);
  }

  private static MadeLayout.Builder ended(String name) {
    return MadeLayout.of("sched", name)
        .text("comm", 16)
        .number("pid_t", "pid", 4, true)
        .number("int", "prio", 4, true);
  }

  private static MadeLayout.Builder vector(String name) {
    return MadeLayout.of("irq", name).number("unsigned int", "vec", 4, false).text("action", 16);
  }

  /** The layout of an event that states are made of; empty for any other. */
  public static Optional<MadeLayout> of(String event) {
    return Optional.ofNullable(LAYOUTS.get(event));
  }

  /**
   * The subsystem of an event of which only the name is known; {@code "events"} if it is unknown.
   */
  public static String subsystem(String event) {
    MadeLayout known = LAYOUTS.get(event);
    if (known != null) {
      return known.format().subsystem();
    }
    int end = Math.max(event.lastIndexOf("_entry"), event.lastIndexOf("_exit"));
    if (end > 0 && VECTORS.contains(event.substring(0, end))) {
      return "irq_vectors";
    }
    return SUBSYSTEMS.entrySet().stream()
        .filter(prefix -> event.startsWith(prefix.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("events");
  }
}
