package dev.kymo.importers.perf.records;

/** A record of a perf.data file. */
public sealed interface PerfRecord {
  /** Nanoseconds of perf's clock; -1 = it has no time. */
  long time();

  /**
   * A sample.
   *
   * @param time nanoseconds of perf's clock; -1 = not recorded
   * @param cpu -1 = not recorded
   * @param stack addresses, the innermost first, with context markers; only the place itself if no
   *     call chain was recorded
   * @param raw what a tracepoint has recorded; empty if there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Sample(
      Event event,
      int pid,
      int tid,
      long time,
      int cpu,
      long address,
      long period,
      boolean user,
      long[] stack,
      byte[] raw)
      implements PerfRecord {}

  /** A thread has a name. */
  record Comm(int pid, int tid, long time, String name, boolean exec) implements PerfRecord {}

  /** A process or thread begins. */
  record Fork(int pid, int parent, int tid, long time) implements PerfRecord {}

  /** A thread ends. */
  record Exit(int pid, int tid, long time) implements PerfRecord {}

  /**
   * A file is mapped.
   *
   * @param pid -1 = for the kernel
   * @param offset of the file's byte that is at the begin
   */
  record Mapped(
      int pid, long time, long begin, long length, long offset, String file, String buildId)
      implements PerfRecord {}

  /** Samples are missing. */
  record Lost(int cpu, long time, long count) implements PerfRecord {}

  /**
   * A thread begins or stops running.
   *
   * @param other the thread that runs before or after it; -1 = not said
   * @param out whether it stops
   * @param preempted whether it would go on running
   */
  record Switch(int cpu, long time, int tid, int other, boolean out, boolean preempted)
      implements PerfRecord {}

  /** Anything else. */
  record Other(int type) implements PerfRecord {
    /** All records before it in the file are earlier than those after the next one of its kind. */
    public static final int FINISHED_ROUND = 68;

    @Override
    public long time() {
      return -1;
    }
  }

  /**
   * What was sampled.
   *
   * @param name as perf has it
   */
  record Event(Attribute attribute, String name) {}
}
