package dev.kymo.states;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.SchedulerState;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Stream;

/** The meaning of one kind of kernel events for states, and the places of its fields. */
final class KnownEvent {
  /** What is to be done. */
  enum Kind {
    SWITCH,
    WAKING,
    /** A thread is made runnable: what {@link #WAKING} announces, later. */
    WAKEUP,
    NEW_TASK,
    /** A thread is made: what {@link #NEW_TASK} says, with less of it. */
    FORK,
    RENAME,
    EXEC,
    EXIT,
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

  private static final String ENTER = "sys_enter_";
  private static final int MOST_INTERRUPTS = 0xFFFF;

  final boolean ofProcessor;
  private final Kind kind;
  private final KernelEventFormat format;

  /** Fields that this kind has, in an order of its own. */
  private final EventField[] fields;

  /** Bytes that an event must have for its fields to be there. */
  private final int size;

  /** Method that stands for being blocked in a system call, else 0. */
  private final int label;

  KnownEvent(KernelEventFormat format, Labels labels) throws IOException {
    Kind named = kind(format);
    this.format = format;
    this.ofProcessor = OF_PROCESSORS.contains(format.subsystem());
    this.fields =
        switch (named) {
          case SWITCH -> fields("prev_pid", "prev_state", "next_pid", "next_comm");
          case WAKING, WAKEUP -> fields("pid", "comm", "success");
          case NEW_TASK -> fields("pid", "comm", "clone_flags");
          case FORK -> fields("child_pid", "child_comm");
          case RENAME -> fields("pid", "newcomm");
          case FREE -> fields("pid");
          case EXEC -> fields("pid", "old_pid", "filename");
          case INTERRUPT_ENTER, INTERRUPT_EXIT -> fields(format.has("irq") ? "irq" : "vec", "name");
          default -> fields();
        };
    this.kind = isWhole(named) ? named : Kind.OTHER;
    this.size = Stream.of(fields).mapToInt(EventField::end).max().orElse(0);
    this.label =
        kind == Kind.SYSCALL_ENTER
            ? labels.of(SchedulerState.BLOCKED, blockedIn(format.name()))
            : 0;
  }

  /** Whether the format has the fields without which an event of this kind says nothing. */
  private boolean isWhole(Kind named) {
    int needed =
        switch (named) {
          case SWITCH -> 3;
          case RENAME -> 2;
          case WAKING, WAKEUP, NEW_TASK, FORK, FREE, EXEC -> 1;
          default -> 0;
        };
    for (int i = 0; i < needed; i++) {
      if (fields[i].isMissing()) {
        return false;
      }
    }
    return true;
  }

  private static Kind kind(KernelEventFormat format) {
    String name = format.name();
    return switch (format.toString()) {
      case "sched:sched_switch" -> Kind.SWITCH;
      case "sched:sched_waking" -> Kind.WAKING;
      case "sched:sched_wakeup", "sched:sched_wakeup_new" -> Kind.WAKEUP;
      case "task:task_newtask" -> Kind.NEW_TASK;
      case "task:task_rename" -> Kind.RENAME;
      case "sched:sched_process_fork" -> Kind.FORK;
      case "sched:sched_process_exec" -> Kind.EXEC;
      case "sched:sched_process_exit" -> Kind.EXIT;
      case "sched:sched_process_free" -> Kind.FREE;
      case "exceptions:page_fault_user", "exceptions:page_fault_kernel" -> Kind.FAULT;
      case "irq:irq_handler_entry", "irq:softirq_entry" -> Kind.INTERRUPT_ENTER;
      case "irq:irq_handler_exit", "irq:softirq_exit" -> Kind.INTERRUPT_EXIT;
      default -> {
        if (format.subsystem().equals("syscalls") && name.startsWith(ENTER)) {
          yield Kind.SYSCALL_ENTER;
        }
        if (format.subsystem().equals("syscalls") && name.startsWith("sys_exit_")) {
          yield Kind.SYSCALL_EXIT;
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
    String name = event.substring(ENTER.length());
    return name.equals("nanosleep") || name.equals("clock_nanosleep") ? "sleep" : name;
  }

  private EventField[] fields(String... names) {
    return Stream.of(names).map(name -> EventField.of(format, name)).toArray(EventField[]::new);
  }

  /** What is to be done, by the format. */
  Kind kind() {
    return kind;
  }

  /** What is to be done; nothing if the event is too short for its fields. */
  Kind kind(int bytes) {
    return bytes < size ? Kind.OTHER : kind;
  }

  /** Method that stands for being blocked in this system call. */
  int label() {
    return label;
  }

  boolean has(int field) {
    return !fields[field].isMissing();
  }

  /** A number; 0 if the events have no such field. */
  long number(int field, byte[] event, int at) {
    return fields[field].number(event, at);
  }

  int tid(int field, byte[] event, int at) {
    return (int) fields[field].number(event, at);
  }

  /** A text; empty if the events have no such field. */
  String text(int field, byte[] event, int at, int bytes) {
    return fields[field].text(event, at, bytes);
  }

  /** The number that tells interrupts of this kind apart: of the line, or of the soft interrupt. */
  int interrupt(byte[] event, int at) {
    return (int) number(0, event, at) & MOST_INTERRUPTS;
  }

  /** The name of an interrupt: {@code timer}, {@code irq virtio0-input}, {@code softirq RCU}. */
  String interruptName(byte[] event, int at, int bytes) {
    String name = format.name();
    if (name.equals("irq_handler_entry")) {
      return "irq " + text(1, event, at, bytes);
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
}
