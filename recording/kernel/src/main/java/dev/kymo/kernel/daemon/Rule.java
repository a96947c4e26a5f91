package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The rule for what a user may see of one kind of events.
 *
 * <p>Kinds that are not named here are for root alone: nobody has checked what they reveal.
 */
final class Rule {
  enum Kind {
    RUNNING,
    /** The two threads of a switch. */
    SWITCH,
    /** The waking thread, and the woken thread. */
    WAKING,
    /** The thread that a field names. */
    NAMED,
    RUNNING_AND_NAMED,
    PROCESSOR,
    /** Anybody. */
    ROOT
  }

  static final int TID = 4;
  private static final int FLAGS = 2;

  /** The kernel's flags for an event in an interrupt, not of the running thread. */
  private static final int IN_INTERRUPT = 0x08 | 0x10 | 0x40;

  /** In {@code prev_state}: the thread has ended. */
  private static final int DEAD = 16;

  /** Number of a thread that a user may not see. */
  private static final int OTHER = -1;

  private static final byte[] OTHER_NAME =
      Arrays.copyOf("other".getBytes(StandardCharsets.US_ASCII), 16);

  /** From here on addresses are the kernel's own, and secret. */
  private static final long KERNEL_ADDRESSES = 0xFFFF_8000_0000_0000L;

  private static final Set<String> WAKINGS =
      Set.of("sched:sched_waking", "sched:sched_wakeup", "sched:sched_wakeup_new");
  private static final Set<String> OF_NAMED =
      Set.of("sched:sched_migrate_task", "sched:sched_process_exit", "sched:sched_process_free");
  private static final Set<String> OF_RUNNING =
      Set.of(
          "task:task_newtask",
          "sched:sched_process_fork",
          "sched:sched_process_exec",
          "exceptions:page_fault_user",
          "exceptions:page_fault_kernel",
          "signal:signal_deliver",
          "mmap:exit_mmap",
          "tlb:tlb_flush");
  private static final Set<String> OF_PROCESSORS =
      Set.of(
          "irq:irq_handler_entry",
          "irq:irq_handler_exit",
          "irq:softirq_entry",
          "irq:softirq_exit",
          "timer:hrtimer_expire_entry",
          "timer:hrtimer_expire_exit");

  final Kind kind;

  /** Fields of threads: the number, then the fields of the other thread that are hidden with it. */
  private final int pid;

  private final int previous;
  private final int[] previousFields;
  private final int[] nextFields;
  private final int previousName;
  private final int nextName;

  /** Fields that may hold kernel addresses. */
  private final int[] addresses;

  /** Bytes between fields, which hold what was in the kernel's buffer before. */
  private final int[] gaps;

  private final int[] dynamic;
  private final int fixedSize;
  private final int kernelId;

  private final String name;

  private Rule(KernelEventFormat format) {
    name = format.toString();
    kind = kind(format);
    boolean isSwitch = kind == Kind.SWITCH;
    pid = offset(format, isSwitch ? "next_pid" : "pid");
    previous = offset(format, "prev_pid");
    previousName = offset(format, "prev_comm");
    nextName = offset(format, isSwitch ? "next_comm" : "comm");
    previousFields = offsets(format, "prev_prio", "prev_state", "prev_state+4");
    nextFields =
        isSwitch ? offsets(format, "next_prio") : offsets(format, "prio", "target_cpu", "success");
    addresses = format.subsystem().equals("syscalls") ? new int[0] : addresses(format);
    gaps = gaps(format);
    dynamic = format.dynamic().stream().mapToInt(KernelEventFormat.Field::offset).toArray();
    fixedSize = format.fixedSize();
    kernelId = format.kernelId();
  }

  private static int[] gaps(KernelEventFormat format) {
    List<Integer> found = new ArrayList<>();
    int at = KernelEventFormat.COMMON_SIZE;
    for (KernelEventFormat.Field field : format.fields()) {
      for (; at < field.offset(); at++) {
        found.add(at);
      }
      at = field.offset() + field.size();
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  static Rule of(KernelEventFormat format) {
    return new Rule(format);
  }

  /** The event as {@code subsystem:event}. */
  String name() {
    return name;
  }

  /** Whether users other than root get any of these. */
  static boolean isForAll(KernelEventFormat format) {
    return kind(format) != Kind.ROOT;
  }

  /** Whether they reveal what the running thread does. */
  static boolean isOfRunning(KernelEventFormat format) {
    return kind(format) == Kind.RUNNING;
  }

  private static Kind kind(KernelEventFormat format) {
    String name = format.toString();
    if (name.equals("sched:sched_switch")) {
      boolean known = format.has("prev_pid") && format.has("next_pid");
      return known && isName(format, "prev_comm") && isName(format, "next_comm")
          ? Kind.SWITCH
          : Kind.ROOT;
    }
    if (WAKINGS.contains(name)) {
      return format.has("pid") && isName(format, "comm") ? Kind.WAKING : Kind.ROOT;
    }
    if (OF_NAMED.contains(name)) {
      return format.has("pid") ? Kind.NAMED : Kind.ROOT;
    }
    if (name.equals("task:task_rename")) {
      return format.has("pid") ? Kind.RUNNING_AND_NAMED : Kind.ROOT;
    }
    if (OF_RUNNING.contains(name) || format.subsystem().equals("syscalls")) {
      return Kind.RUNNING;
    }
    boolean vector = name.matches("irq_vectors:\\w+_(entry|exit)");
    return vector || OF_PROCESSORS.contains(name) ? Kind.PROCESSOR : Kind.ROOT;
  }

  private static boolean isName(KernelEventFormat format, String field) {
    return format.has(field) && format.field(field).size() == OTHER_NAME.length;
  }

  private static int offset(KernelEventFormat format, String field) {
    return format.has(field) ? format.field(field).offset() : -1;
  }

  /** Offsets of four bytes to be cleared; {@code name+4}: the second half of eight. */
  private static int[] offsets(KernelEventFormat format, String... names) {
    return Arrays.stream(names)
        .mapToInt(name -> {
          boolean half = name.endsWith("+4");
          String field = half ? name.substring(0, name.length() - 2) : name;
          int size = format.has(field) ? format.field(field).size() : 0;
          return size == 0 || (half && size < 8) ? -1 : offset(format, field) + (half ? 4 : 0);
        })
        .filter(offset -> offset >= 0)
        .toArray();
  }

  private static int[] addresses(KernelEventFormat format) {
    return format.fields().stream()
        .filter(f -> f.kind() == KernelEventFormat.Kind.INTEGER && f.size() == 8 && !f.signed())
        .mapToInt(KernelEventFormat.Field::offset)
        .toArray();
  }

  /**
   * Reduces an event to what a user may see.
   *
   * @param bytes a copy of the event from {@code at} on: what the user may not see is overwritten
   * @return whether the user may see any of it
   */
  boolean redact(Owners owners, long owner, byte[] bytes, int at, int size) {
    int tid = Bytes.i32(bytes, at + TID);
    boolean own = owners.of(tid) == owner;
    boolean seen =
        switch (kind) {
          case RUNNING -> own;
          case PROCESSOR -> true;
          case NAMED -> owners.of(Bytes.i32(bytes, at + pid)) == owner;
          case RUNNING_AND_NAMED -> own && owners.of(Bytes.i32(bytes, at + pid)) == owner;
          case SWITCH -> switched(owners, owner, bytes, at);
          case WAKING -> woken(owners, owner, own, bytes, at);
          case ROOT -> false;
        };
    if (!seen) {
      return false;
    }
    if (!own && tid != 0) {
      Bytes.i32(bytes, at + TID, OTHER);
    }
    for (int address : addresses) {
      if (Long.compareUnsigned(Bytes.i64(bytes, at + address), KERNEL_ADDRESSES) >= 0) {
        Bytes.i64(bytes, at + address, 0);
      }
    }
    for (int gap : gaps) {
      bytes[at + gap] = 0;
    }
    int end = fixedSize;
    for (int field : dynamic) {
      int place = Bytes.i32(bytes, at + field);
      end = Math.max(end, (place & 0xFFFF) + (place >>> 16));
    }
    if (end < size) {
      Arrays.fill(bytes, at + end, at + size, (byte) 0);
    }
    return true;
  }

  /**
   * A switch from a thread to a thread that may not be seen. It stands for the moment from which
   * the first thread may not be seen itself, and says that it is dead, which ends everything known
   * of it.
   */
  byte[] farewell(int tid) {
    byte[] event = new byte[fixedSize];
    Bytes.i16(event, 0, kernelId);
    Bytes.i32(event, TID, tid);
    Bytes.i32(event, previous, tid);
    if (previousFields.length > 1) {
      Bytes.i32(event, previousFields[1], DEAD);
    }
    hide(event, 0, pid, nextName, nextFields);
    return event;
  }

  private boolean switched(Owners owners, long owner, byte[] bytes, int at) {
    int before = Bytes.i32(bytes, at + previous);
    int next = Bytes.i32(bytes, at + pid);
    boolean ownBefore = owners.of(before) == owner;
    boolean ownNext = owners.of(next) == owner;
    if (!ownBefore && before != 0) {
      hide(bytes, at, previous, previousName, previousFields);
    }
    if (!ownNext && next != 0) {
      hide(bytes, at, pid, nextName, nextFields);
    }
    return ownBefore || ownNext;
  }

  private boolean woken(Owners owners, long owner, boolean own, byte[] bytes, int at) {
    if (owners.of(Bytes.i32(bytes, at + pid)) == owner) {
      return true;
    }
    if (!own || (bytes[at + FLAGS] & IN_INTERRUPT) != 0) {
      return false;
    }
    hide(bytes, at, pid, nextName, nextFields);
    return true;
  }

  private static void hide(byte[] bytes, int at, int pid, int name, int[] fields) {
    Bytes.i32(bytes, at + pid, OTHER);
    System.arraycopy(OTHER_NAME, 0, bytes, at + name, OTHER_NAME.length);
    for (int field : fields) {
      Bytes.i32(bytes, at + field, 0);
    }
  }
}
