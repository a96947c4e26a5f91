package dev.kymo.states;

import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Events as a kernel of version 6.18 lays them out, made up. */
final class MadeEvents {
  static final List<KernelEventFormat> FORMATS =
      List.of(
          format(
              "sched",
              "sched_switch",
              "char prev_comm[16] 8 16 0",
              "pid_t prev_pid 24 4 1",
              "int prev_prio 28 4 1",
              "long prev_state 32 8 1",
              "char next_comm[16] 40 16 0",
              "pid_t next_pid 56 4 1",
              "int next_prio 60 4 1"),
          format("sched", "sched_waking", "char comm[16] 8 16 0", "pid_t pid 24 4 1"),
          format(
              "task",
              "task_newtask",
              "pid_t pid 8 4 1",
              "char comm[16] 12 16 0",
              "u64 clone_flags 32 8 0"),
          format("task", "task_rename", "pid_t pid 8 4 1", "char newcomm[16] 28 16 0"),
          format("sched", "sched_process_free", "char comm[16] 8 16 0", "pid_t pid 24 4 1"),
          format("syscalls", "sys_enter_futex", "u32 * uaddr 16 8 0"),
          format("syscalls", "sys_exit_futex", "long ret 16 8 1"),
          format("exceptions", "page_fault_user", "unsigned long address 8 8 0"),
          format("irq_vectors", "local_timer_entry", "int vector 8 4 1"),
          format("irq_vectors", "local_timer_exit", "int vector 8 4 1"),
          format("irq", "irq_handler_entry", "int irq 8 4 1", "__data_loc char[] name 12 4 0"),
          format("irq", "irq_handler_exit", "int irq 8 4 1", "int ret 12 4 1"),
          format("irq", "softirq_entry", "unsigned int vec 8 4 0"),
          format("irq", "softirq_exit", "unsigned int vec 8 4 0"));

  private final KernelStates states;
  private final ByteBuffer event = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);

  MadeEvents(KernelStates states) throws IOException {
    this.states = states;
    for (KernelEventFormat format : FORMATS) {
      states.format(format);
    }
  }

  private static KernelEventFormat format(String subsystem, String name, String... fields) {
    StringBuilder text = new StringBuilder("name: " + name + "\nID: 1\n");
    for (String field : fields) {
      String[] words = field.split(" (?=\\d+ \\d+ \\d$)|(?<=\\d) (?=\\d)", -1);
      text.append(
          "field:%s; offset:%s; size:%s; signed:%s;\n"
              .formatted(words[0], words[1], words[2], words[3]));
    }
    return KernelEventFormat.parse(subsystem, text.toString());
  }

  private ByteBuffer begin(int tid, int flags) {
    event.clear().put(new byte[128]).clear();
    return event.put(2, (byte) flags).putInt(4, tid);
  }

  private boolean end(int cpu, long clock, String name) throws IOException {
    for (int i = 0; i < FORMATS.size(); i++) {
      if (FORMATS.get(i).name().equals(name)) {
        return states.event(cpu, clock, i, event.array(), 0, 128);
      }
    }
    throw new IllegalArgumentException(name);
  }

  private void text(int at, String text) {
    event.put(at, text.getBytes(StandardCharsets.UTF_8));
  }

  boolean switches(int cpu, long clock, int prev, long prevState, int next) throws IOException {
    begin(prev, 0).putInt(24, prev).putLong(32, prevState).putInt(56, next);
    text(40, "t" + next);
    return end(cpu, clock, "sched_switch");
  }

  boolean wakes(int cpu, long clock, int waker, int flags, int woken) throws IOException {
    begin(waker, flags).putInt(24, woken);
    return end(cpu, clock, "sched_waking");
  }

  boolean creates(int cpu, long clock, int creator, int tid, String name, long flags)
      throws IOException {
    begin(creator, 0).putInt(8, tid).putLong(32, flags);
    text(12, name);
    return end(cpu, clock, "task_newtask");
  }

  boolean renames(int cpu, long clock, int tid, String name) throws IOException {
    begin(tid, 0).putInt(8, tid);
    text(28, name);
    return end(cpu, clock, "task_rename");
  }

  boolean frees(int cpu, long clock, int tid) throws IOException {
    begin(0, 0).putInt(24, tid);
    return end(cpu, clock, "sched_process_free");
  }

  /** An event that only its thread and one number tell of. */
  boolean simple(int cpu, long clock, int tid, String name, int number) throws IOException {
    begin(tid, 0).putInt(8, number);
    return end(cpu, clock, name);
  }

  boolean irq(int cpu, long clock, int tid, int line, String name) throws IOException {
    begin(tid, 0).putInt(8, line).putInt(12, (name.length() + 1) << 16 | 16);
    text(16, name);
    return end(cpu, clock, "irq_handler_entry");
  }
}
