package dev.kymo.foreign.uftrace;

import dev.kymo.foreign.target.KernelTarget;
import dev.kymo.foreign.target.Target;
import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * Switches of tasks, as the kernel's own event of them. The file knows only the recorded task of
 * each; the other one is taken to be none.
 */
final class Switches {
  private static final int NAME = 16;
  private static final int SIZE = 64;
  private static final int TYPE = 1;
  private static final int WAITING = 1;
  private static final int PRIORITY = 120;

  private static final KernelEventFormat FORMAT =
      KernelEventFormat.parse(
          "sched",
          """
          name: sched_switch
          ID: 1
          field:char prev_comm[16]; offset:8; size:16; signed:0;
          field:pid_t prev_pid; offset:24; size:4; signed:1;
          field:int prev_prio; offset:28; size:4; signed:1;
          field:long prev_state; offset:32; size:8; signed:1;
          field:char next_comm[16]; offset:40; size:16; signed:0;
          field:pid_t next_pid; offset:56; size:4; signed:1;
          field:int next_prio; offset:60; size:4; signed:1;
          """);

  private final KernelTarget kernel;
  private final int kind;
  private final Set<Integer> present = new HashSet<>();
  private final long first;

  /** Switches on so many processors. */
  Switches(Target target, String system, int processors, long first) throws IOException {
    kernel = target.kernel(system, processors);
    kind = kernel.kind(FORMAT);
    this.first = first;
  }

  /** There is a task from the begin on. */
  void present(int tid, int pid, String name) throws IOException {
    if (present.add(tid)) {
      kernel.present(tid, pid, name, false, first);
    }
  }

  /** A task begins to run. */
  void in(int cpu, long time, int tid, String name) throws IOException {
    put(cpu, time, 0, "", 0, tid, name);
  }

  /** A task stops running, because it waits, or because others are to run. */
  void out(int cpu, long time, int tid, String name, boolean waits) throws IOException {
    put(cpu, time, tid, name, waits ? WAITING : 0, 0, "");
  }

  void lose(int cpu, long time, long count) throws IOException {
    kernel.lose(cpu, time, count);
  }

  private void put(int cpu, long time, int from, String fromName, long state, int to, String toName)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putShort((short) TYPE).putShort((short) 0).putInt(from);
    name(bytes, from == 0 ? "swapper/" + cpu : fromName);
    bytes.putInt(from).putInt(PRIORITY).putLong(state);
    name(bytes, to == 0 ? "swapper/" + cpu : toName);
    bytes.putInt(to).putInt(PRIORITY);
    kernel.event(cpu, time, kind, bytes.array());
  }

  private static void name(ByteBuffer bytes, String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    int begin = bytes.position();
    bytes.put(text, 0, Math.min(text.length, NAME - 1));
    bytes.position(begin + NAME);
  }
}
