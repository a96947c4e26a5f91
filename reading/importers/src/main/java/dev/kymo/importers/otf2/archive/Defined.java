package dev.kymo.importers.otf2.archive;

/** Contents of global definitions; names are numbers of strings. */
public final class Defined {
  /** An undefined reference. */
  public static final int NONE = -1;

  private Defined() {}

  /**
   * The clock of all times.
   *
   * @param resolution ticks per second
   * @param offset a time before all events, in ticks
   * @param length of the trace, in ticks
   * @param wall nanoseconds since 1970 at the offset; -1 = not known
   */
  public record ClockProperties(long resolution, long offset, long length, long wall) {}

  /** A machine, or something in one. */
  public record Node(int name, int kind, int parent) {}

  /** A process, or an accelerator. */
  public record LocationGroup(int name, int type, int node) {}

  /** A thread, or what else has events; they are {@code events}. */
  public record Location(long id, int name, int type, long events, int group) {}

  /** A function. */
  public record Region(int name, int file, int line) {}

  /** What belongs together; members are of the kind that the type says. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them, and nobody changes the members
  public record Group(int type, int paradigm, int flags, long[] members) {}

  /** A communicator; {@code other} is the second group, if it has two. */
  public record Comm(int name, int group, int other) {}

  /** A counter; its values are {@code value * base ^ exponent units}. */
  public record MetricMember(int name, int base, long exponent, int unit) {}

  /** Counters that are read together. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them, and nobody changes the members
  public record MetricClass(int[] members) {}

  /** Counters that are read elsewhere than where they count. */
  public record MetricInstance(int metricClass, int scopeKind, long scope) {}

  /** A function and where it was called from. */
  public record Context(int region, int source, int parent) {}

  /** A line. */
  public record Source(int file, int line) {}
}
