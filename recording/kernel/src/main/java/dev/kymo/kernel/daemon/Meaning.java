package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import java.util.Set;

/**
 * The meaning of an event for the ownership of threads.
 *
 * @param life what happened
 * @param tid offset of the thread's number, if it is not the running thread
 * @param other offset of something else that belongs to it
 * @param inProgram whether the running thread is in its program then, or comes from it or goes to
 *     it: so no other program is just being put into its memory
 * @param tellsOfMemory whether it may reveal where something lies in the running thread's memory
 */
record Meaning(Life life, int tid, int other, boolean inProgram, boolean tellsOfMemory) {
  /** The kernel's {@code CLONE_VM}, which {@code CLONE_THREAD} needs. */
  private static final long SHARED_MEMORY = 0x100;

  private static final int PR_SET_DUMPABLE = 4;
  private static final long DUMPABLE = 1;

  /**
   * The event by which a process refuses to be looked at by its own user; on whenever that matters.
   */
  static final String HARDENING = "syscalls:sys_enter_prctl";

  private static final Set<String> OF_PROGRAMS =
      Set.of("task:task_newtask", "signal:signal_deliver", "exceptions:page_fault_user");

  enum Life {
    NONE,
    CREATED,
    RENAMED,
    EXECUTED,
    FREED,
    HARDENED
  }

  static Meaning of(KernelEventFormat format) {
    return switch (format.toString()) {
      case "task:task_newtask" -> with(format, Life.CREATED, "pid", "clone_flags");
      case "task:task_rename" -> with(format, Life.RENAMED, "pid", "pid");
      case "sched:sched_process_exec" -> with(format, Life.EXECUTED, "pid", "old_pid");
      case "sched:sched_process_free" -> with(format, Life.FREED, "pid", "pid");
      case HARDENING -> with(format, Life.HARDENED, "option", "arg2");
      default -> new Meaning(Life.NONE, 0, 0, inProgram(format), tellsOfMemory(format));
    };
  }

  private static Meaning with(KernelEventFormat format, Life life, String tid, String other) {
    return new Meaning(
        life,
        format.field(tid).offset(),
        format.field(other).offset(),
        inProgram(format),
        tellsOfMemory(format));
  }

  /** The exit of an exec itself comes when everything is over. */
  private static boolean inProgram(KernelEventFormat format) {
    return format.subsystem().equals("syscalls") || OF_PROGRAMS.contains(format.toString());
  }

  private static boolean tellsOfMemory(KernelEventFormat format) {
    return Rule.isOfRunning(format);
  }

  /** Whether users who see such events need {@link #HARDENING}. */
  static boolean needsHardening(String event) {
    boolean mayTell = event.startsWith("syscalls:") || event.startsWith("exceptions:");
    return mayTell && !event.equals(HARDENING);
  }

  /** Whether a new thread has the memory of its maker. */
  boolean sharesMemory(byte[] bytes, int at) {
    return (Bytes.i64(bytes, at + other) & SHARED_MEMORY) != 0;
  }

  /** Whether a process refuses to be looked at by its own user. */
  boolean hides(byte[] bytes, int at) {
    return Bytes.i32(bytes, at + tid) == PR_SET_DUMPABLE
        && Bytes.i64(bytes, at + other) != DUMPABLE;
  }
}
