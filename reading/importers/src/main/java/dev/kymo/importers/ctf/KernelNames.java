package dev.kymo.importers.ctf;

import java.util.List;
import java.util.Map;

/**
 * The kernel's own names of an event of LTTng's and its fields.
 *
 * @param fields names that differ
 * @param wanted fields without which the event does not mean what its name says
 */
record KernelNames(String subsystem, String name, Map<String, String> fields, List<String> wanted) {
  private static final Map<String, String> OF_THREAD = Map.of("tid", "pid");

  /** The kernel's name of an event, by LTTng's. */
  static KernelNames of(String name) {
    for (String prefix : List.of("compat_syscall_", "syscall_")) {
      if (name.startsWith(prefix + "entry_")) {
        String call = name.substring(prefix.length() + "entry_".length());
        return plain("syscalls", "sys_enter_" + call);
      }
      if (name.startsWith(prefix + "exit_")) {
        return plain("syscalls", "sys_exit_" + name.substring(prefix.length() + 5));
      }
    }
    if (name.startsWith("sched_")) {
      return sched(name);
    }
    String kernel = name.replaceFirst("^irq_softirq_", "softirq_");
    return switch (kernel) {
      case "irq_handler_entry" -> new KernelNames("irq", kernel, Map.of(), List.of("irq", "name"));
      case "irq_handler_exit" -> new KernelNames("irq", kernel, Map.of(), List.of("irq"));
      case "softirq_entry", "softirq_exit", "softirq_raise" ->
          new KernelNames("irq", kernel, Map.of(), List.of("vec"));
      case "exit_syscall", "sys_exit" -> plain("syscalls", "sys_exit");
      case "task_rename" -> new KernelNames("task", kernel, OF_THREAD, List.of("pid", "newcomm"));
      default -> other(kernel);
    };
  }

  private static KernelNames sched(String name) {
    return switch (name) {
      case "sched_switch" ->
          new KernelNames(
              "sched",
              name,
              Map.of("prev_tid", "prev_pid", "next_tid", "next_pid"),
              List.of("prev_pid", "prev_state", "next_pid", "next_comm"));
      case "sched_process_fork" ->
          new KernelNames(
              "sched",
              name,
              Map.of(
                  "parent_tid",
                  "parent_pid",
                  "parent_pid",
                  "parent_tgid",
                  "child_tid",
                  "child_pid",
                  "child_pid",
                  "child_tgid"),
              List.of("parent_pid", "child_comm", "child_pid"));
      case "sched_process_exec" ->
          new KernelNames(
              "sched", name, Map.of("tid", "pid", "old_tid", "old_pid"), List.of("pid", "old_pid"));
      default -> new KernelNames("sched", name, OF_THREAD, wantsPid(name));
    };
  }

  private static List<String> wantsPid(String name) {
    boolean known = name.startsWith("sched_wak") || name.startsWith("sched_process_");
    return known ? List.of("pid") : List.of();
  }

  private static KernelNames other(String name) {
    if (name.startsWith("sys_")) { // LTTng 2.0 to 2.5
      return plain("syscalls", "sys_enter_" + name.substring("sys_".length()));
    }
    for (String of : List.of("exceptions", "irq_vectors")) {
      if (name.startsWith("x86_" + of + "_")) {
        return plain(of, name.substring(("x86_" + of + "_").length()));
      }
    }
    if (name.startsWith("timer_hrtimer_") || name.startsWith("timer_itimer_")) {
      return plain("timer", name.substring("timer_".length()));
    }
    int end = name.indexOf('_');
    return plain(end <= 0 ? "lttng" : name.substring(0, end), name);
  }

  private static KernelNames plain(String subsystem, String name) {
    String word = name.replaceAll("\\s", "_");
    return new KernelNames(subsystem, word.isEmpty() ? "_" : word, Map.of(), List.of());
  }

  String field(String lttng) {
    return fields.getOrDefault(lttng, lttng);
  }

  /** Bytes of a field that must have a size; 0 = any. */
  int size(String field) {
    if (field.equals("prev_state")) {
      return Long.BYTES;
    }
    return wanted.contains(field) ? Integer.BYTES : 0;
  }
}
