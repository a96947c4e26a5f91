package dev.kymo.format;

/**
 * The meaning of a number in the other records. Definitions are events of a stream of their own; a
 * later definition of the same kind and number replaces an earlier one. Numbers are unique within
 * their process. {@link DefinitionCodec} has the bytes.
 */
public sealed interface Definition {

  /**
   * The recording as a whole; written once, by the drainer, in the stream of process 0.
   *
   * @param version of Kymo
   * @param command line that was recorded, empty if Kymo did not start it
   * @param whenFull {@code discard}, {@code block} or {@code overwrite}
   */
  record Recording(
      String version,
      String command,
      String host,
      String kernel,
      String processor,
      int processors,
      String whenFull)
      implements Definition {}

  /**
   * A recorded process.
   *
   * @param process number in the recording, from 1
   * @param jvm name and version of the virtual machine
   */
  record TracedProcess(int process, int pid, int parentPid, String command, String jvm)
      implements Definition {}

  /**
   * A thread.
   *
   * @param thread number in the process, from 1
   * @param kind {@link #PLATFORM}, {@link #VIRTUAL}, {@link #STATES}, {@link #JVM}, {@link
   *     #SCHEDULED} or {@link #CPU}
   * @param javaId what {@code Thread.threadId()} returns; for a {@link #SCHEDULED} the process's
   *     pid
   * @param tid the kernel's number; 0 for virtual threads; for a {@link #CPU} its number
   */
  record TracedThread(int thread, int kind, long javaId, int tid, String name)
      implements Definition {
    public static final int PLATFORM = 0;
    public static final int VIRTUAL = 1;

    /**
     * Not a thread, but what the thread with the same {@code javaId} waited for: its calls are
     * states, its methods name the states, and the name of a method's type is the kind of state.
     */
    public static final int STATES = 2;

    /** Something that the virtual machine does, such as collecting garbage, as calls. */
    public static final int JVM = 3;

    /**
     * Not a thread, but what the kernel did with the thread that has this {@code tid}, in any
     * process of the recording: its calls are states, their types' names {@code running}, {@code
     * runnable}, {@code blocked} or {@code interrupted}.
     */
    public static final int SCHEDULED = 4;

    /** A processor: its calls are the threads that ran there, and inside them interrupts. */
    public static final int CPU = 5;
  }

  /**
   * A class with recorded methods; in a native process a file with code, or a part of it.
   *
   * @param name as in Java source, {@code java.util.Map$Entry}; the file's name, empty for the
   *     program itself
   * @param loader name or class of the loader, empty for the boot loader; the file's path
   * @param source file name, empty if unknown; as a native process writes it, the file's build id
   */
  record Type(int type, String name, String loader, String source) implements Definition {
    /**
     * Types from here on are those of {@code pN-names}: a method of such a type is not replaced by
     * a method of a type that the process itself has defined.
     */
    public static final int FIRST_OF_NAMES = 0x800000;
  }

  /**
   * A recorded method.
   *
   * @param method payload of its ENTER and LEAVE records
   * @param type its class
   * @param line first line in the source, 0 if unknown
   * @param access access flags as in the class file
   * @param descriptor as in the class file, {@code (I)V}; for a native function its parameters as
   *     in source, {@code (int, char const*)}, or its address in the file, {@code +0x1a2b}
   */
  record Method(int method, int type, int line, int access, String name, String descriptor)
      implements Definition {}

  /**
   * An address of code in events of a native process.
   *
   * @param address as events have it
   * @param method the function there, whose descriptor is the address in the file of what was
   *     called
   */
  record CodeLocation(long address, int method) implements Definition {}

  /**
   * The recording's clock and two other clocks, read at the same moment.
   *
   * @param clock ticks
   * @param monotonic nanoseconds
   * @param wall nanoseconds since 1970
   */
  record ClockPair(long clock, long monotonic, long wall) implements Definition {}

  /**
   * A process is no longer recorded; written by the drainer, in the stream of process 0.
   *
   * @param how {@link #ENDED}, {@link #KILLED} or {@link #STOPPED}
   * @param lost events of threads that could get no ring
   */
  record ProcessEnd(int process, int how, long lost) implements Definition {
    /** The process ended its recording by itself. */
    public static final int ENDED = 0;

    /** The process ended without a report. */
    public static final int KILLED = 1;

    /** The process still ran when the recording ended. */
    public static final int STOPPED = 2;
  }

  /**
   * What the probes of a process cost, as it measured when it started, and what they may cost.
   * Costs are picoseconds of one call with its enter and leave.
   *
   * @param budget millionths of a thread's time that probes may take, 0 = any
   * @param inside part of an {@link MethodMode#EVENTS} call's cost that falls into the call's own
   *     time
   * @param outside the rest, which falls into its caller's time
   * @param timed cost of a {@link MethodMode#TIMED} call
   * @param sampled cost of a {@link MethodMode#SAMPLED} call, on average
   * @param spread half the width in which nine of ten measurements of inside + outside lay
   */
  record ProbeCost(
      int process, int budget, int inside, int outside, int timed, int sampled, int spread)
      implements Definition {}

  /**
   * From now on a method is recorded in another way.
   *
   * @param mode {@link #LEFT_OUT}, {@link #EVENTS}, {@link #TIMED} or {@link #SAMPLED}
   * @param before the mode until now
   * @param reason one sentence with its numbers
   */
  record MethodMode(int method, int mode, int before, String reason) implements Definition {
    private static final String AS_BEFORE = "as in the run before: ";
    private static final String CALLS = " calls/s on its busiest thread";
    private static final String NEVER = "it cannot be recorded: ";

    /**
     * The reason for a step that an earlier run of the program has found.
     *
     * @param rate calls a second on its busiest thread, when that was found
     */
    public static String asBefore(long rate) {
      return AS_BEFORE + rate + CALLS;
    }

    /** The calls a second of such a reason; -1 for any other reason. */
    public static long rateBefore(String reason) {
      if (!reason.startsWith(AS_BEFORE) || !reason.endsWith(CALLS)) {
        return -1;
      }
      try {
        int end = reason.length() - CALLS.length();
        return Math.max(0, Long.parseLong(reason.substring(AS_BEFORE.length(), end)));
      } catch (NumberFormatException e) {
        return -1;
      }
    }

    /**
     * The reason for leaving out a method that cannot have probes, from its beginning on.
     *
     * @param why what does not fit, with its numbers
     */
    public static String never(String why) {
      return NEVER + why;
    }

    /** Whether a reason is such a one: the method's time is in its callers' self time. */
    public static boolean isNever(String reason) {
      return reason.startsWith(NEVER);
    }

    /** Not recorded: calls are not known. */
    public static final int LEFT_OUT = 0;

    /** Each enter and leave is an event. Methods begin in this mode. */
    public static final int EVENTS = 1;

    /** Each call is counted and timed. */
    public static final int TIMED = 2;

    /** Each call is counted, some are timed. */
    public static final int SAMPLED = 3;
  }

  /**
   * Processor time that recording took beside its probes.
   *
   * @param process that spent it; 0 = the recorder's own
   * @param weaving nanoseconds for putting probes into classes
   * @param classes that got probes
   * @param housekeeping nanoseconds of Kymo's own threads
   * @param lifetime nanoseconds that it was recorded
   */
  record OwnCost(int process, long weaving, int classes, long housekeeping, long lifetime)
      implements Definition {}

  /**
   * Processor time that a traced process has taken in all, including what recording took.
   *
   * @param all nanoseconds since the process began
   * @param compiling nanoseconds of them that the JIT compiler took, for the program and for its
   *     probes; only of compiler threads that exist now
   */
  record ProcessorTime(int process, long all, long compiling) implements Definition {}

  /**
   * A kind of kernel events in the recording.
   *
   * @param event number in the recording, as {@link KernelRecord}s have it
   * @param subsystem part of the kernel it is from
   * @param format {@link KernelEventFormat#text()}
   */
  record KernelEvent(int event, String subsystem, String format) implements Definition {}

  /**
   * A group of events of a program's own.
   *
   * @param id its number in the program's definitions, 0 to 65535
   * @param category its topic, empty if none was given
   * @param color as {@code #rrggbb}, empty if none was given
   */
  record Subsystem(int subsystem, int id, String name, String category, String color)
      implements Definition {}

  /**
   * A kind of event of a program's own. Events and methods share their numbers: an event that
   * begins something is a method, too, for ENTER and LEAVE records, and what lies between them is a
   * call.
   *
   * @param event payload of its records
   * @param id in its subsystem, 0 to 65535
   * @param kind number of an {@link EventKind}; a file can have another one
   * @param description empty if it is the name
   * @param fields what its data are, {@code u64 size; str owner;}; empty if it has none
   */
  record Event(
      int event, int subsystem, int id, int kind, String name, String description, String fields)
      implements Definition {
    /**
     * Name of the subsystem whose instants lead to what another thread did at that moment, if their
     * first fields are {@link #PLACE}: the number of its process and its own.
     */
    public static final String ACTIVITIES = "activity";

    /** The fields by which an event leads to another thread. */
    public static final String PLACE = "u32 process; u32 thread;";
  }

  /**
   * Where a thread was when a sample was taken: {@code method}, called by the innermost frame of
   * another stack, so that stacks share their outer parts.
   *
   * @param stack number in the process, from 1, in the order of definition
   * @param caller number of the stack that the frame was called from, which is smaller; 0 = none,
   *     the frame is the outermost
   */
  record Stack(int stack, int caller, int method) implements Definition {
    /** Name of the field of events that has the number of a stack, 0 = not known; a u32. */
    public static final String FIELD = "stack";

    /** Name of the subsystem whose instants with a stack as their first field are samples. */
    public static final String SAMPLES = "sample";
  }

  /**
   * Something a reader of this recording should know; {@link NoticeCode} has what readers act on.
   *
   * @param process that it concerns; 0 for the whole recording
   */
  record Notice(int process, String text) implements Definition {}

  /**
   * A stream that the recording has, written when it was complete, so that readers notice if it is
   * missing later, or shorter.
   *
   * @param name of the file
   * @param bytes its size
   */
  record Stream(String name, long bytes) implements Definition {}
}
