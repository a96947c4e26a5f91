package dev.kymo.states;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.SchedulerState;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** What one kind of kernel events means for states, and where its fields are. */
final class KnownEvent {
  /** What is to be done. */
  enum Kind {
    SWITCH,
    WAKING,
    NEW_TASK,
    RENAME,
    EXEC,
    FREE,
    SYSCALL_ENTER,
    SYSCALL_EXIT,
    FAULT,
    INTERRUPT_ENTER,
    INTERRUPT_EXIT,
    /** Nothing follows from it. */
    OTHER
  }

  /** Events of interrupts, which happen to whatever thread runs. */
  private static final Set<String> OF_PROCESSORS = Set.of("irq", "irq_vectors", "timer", "ipi");

  private static final String[] SOFTIRQS = {
    "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"
  };

  private static final int MOST_INTERRUPTS = 0xFFFF;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  final Kind kind;
  final boolean ofProcessor;
  private final KernelEventFormat format;

  /** Offsets of the fields that this kind has, in an order of its own. */
  private final int[] offsets;

  /** Method that stands for being blocked in a system call, else 0. */
  private final int label;

  KnownEvent(KernelEventFormat format, Labels labels) throws IOException {
    this.format = format;
    this.kind = kind(format);
    this.ofProcessor = OF_PROCESSORS.contains(format.subsystem());
    this.offsets =
        switch (kind) {
          case SWITCH -> offsets("prev_pid", "prev_state", "next_pid", "next_comm");
          case WAKING -> offsets("pid");
          case NEW_TASK -> offsets("pid", "comm", "clone_flags");
          case RENAME -> offsets("pid", "newcomm");
          case FREE -> offsets("pid");
          case EXEC -> offsets("pid", "old_pid");
          case INTERRUPT_ENTER, INTERRUPT_EXIT ->
              format.has("irq") ? offsets("irq") : format.has("vec") ? offsets("vec") : new int[0];
          default -> new int[0];
        };
    this.label =
        kind == Kind.SYSCALL_ENTER
            ? labels.of(SchedulerState.BLOCKED, blockedIn(format.name()))
            : 0;
  }

  private static Kind kind(KernelEventFormat format) {
    String name = format.name();
    return switch (format.toString()) {
      case "sched:sched_switch" -> Kind.SWITCH;
      case "sched:sched_waking" -> Kind.WAKING;
      case "task:task_newtask" -> Kind.NEW_TASK;
      case "task:task_rename" -> Kind.RENAME;
      case "sched:sched_process_exec" -> Kind.EXEC;
      case "sched:sched_process_free" -> Kind.FREE;
      case "exceptions:page_fault_user", "exceptions:page_fault_kernel" -> Kind.FAULT;
      case "irq:irq_handler_entry", "irq:softirq_entry" -> Kind.INTERRUPT_ENTER;
      case "irq:irq_handler_exit", "irq:softirq_exit" -> Kind.INTERRUPT_EXIT;
      default -> {
        if (format.subsystem().equals("syscalls")) {
          yield name.startsWith("sys_enter_") ? Kind.SYSCALL_ENTER : Kind.SYSCALL_EXIT;
        }
        if (format.subsystem().equals("irq_vectors") && name.endsWith("_entry")) {
          yield Kind.INTERRUPT_ENTER;
        }
        if (format.subsystem().equals("irq_vectors") && name.endsWith("_exit")) {
          yield Kind.INTERRUPT_EXIT;
        }
        yield Kind.OTHER;
      }
    };
  }

  /** A plain word, where the system call's name says less. */
  private static String blockedIn(String event) {
    String name = event.substring("sys_enter_".length());
    return name.equals("nanosleep") || name.equals("clock_nanosleep") ? "sleep" : name;
  }

  private int[] offsets(String... names) {
    int[] found = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      found[i] = format.field(names[i]).offset();
    }
    return found;
  }

  /** Method that stands for being blocked in this system call. */
  int label() {
    return label;
  }

  /** A field of four bytes. */
  int number(int field, byte[] event, int at) {
    return (int) INT.get(event, at + offsets[field]);
  }

  /** A field of eight bytes. */
  long large(int field, byte[] event, int at) {
    return (long) LONG.get(event, at + offsets[field]);
  }

  /** A name of at most sixteen characters. */
  String name(int field, byte[] event, int at) {
    int begin = at + offsets[field];
    int end = begin;
    while (end < begin + 16 && event[end] != 0) {
      end++;
    }
    return new String(event, begin, end - begin, StandardCharsets.UTF_8);
  }

  /** The number that tells interrupts of this kind apart: of the line, or of the soft interrupt. */
  int interrupt(byte[] event, int at) {
    return offsets.length == 0 ? 0 : number(0, event, at) & MOST_INTERRUPTS;
  }

  /** The name of an interrupt: {@code timer}, {@code irq virtio0-input}, {@code softirq RCU}. */
  String interruptName(byte[] event, int at, int size) {
    String name = format.name();
    if (name.equals("irq_handler_entry")) {
      return "irq " + text("name", event, at, size);
    }
    if (name.equals("softirq_entry")) {
      int vector = interrupt(event, at);
      return "softirq " + (vector < SOFTIRQS.length ? SOFTIRQS[vector] : String.valueOf(vector));
    }
    return name.equals("local_timer_entry") ? "timer" : stem();
  }

  /** The part that the names of an interrupt's begin and end share. */
  String stem() {
    String name = format.name();
    return name.substring(0, Math.max(0, name.lastIndexOf('_')));
  }

  private String text(String field, byte[] event, int at, int size) {
    int where = (int) INT.get(event, at + format.field(field).offset());
    int from = where & 0xFFFF;
    int length = where >>> 16;
    if (from + length > size || length == 0) {
      return "";
    }
    return new String(event, at + from, length - 1, StandardCharsets.UTF_8);
  }
}
