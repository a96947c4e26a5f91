package dev.kymo.importers.perf.records;

import java.nio.ByteBuffer;

/**
 * Kind of event that perf has recorded, and the fields of its records: a {@code perf_event_attr}.
 *
 * <pre>
 *   byte  0  u32 type                 byte 32  u64 read format
 *         4  u32 bytes of all             40  u64 flags
 *         8  u64 config                   72  u64 branch sample type
 *        16  u64 period                   80  u64 registers of the user
 *        24  u64 sample type              96  u64 registers of an interrupt (from 96 bytes on)
 * </pre>
 */
public record Attribute(
    int type,
    long config,
    long sampleType,
    long readFormat,
    long flags,
    long branchType,
    long userRegisters,
    long interruptRegisters) {
  public static final int HARDWARE = 0;
  public static final int SOFTWARE = 1;
  public static final int TRACEPOINT = 2;
  public static final int CACHE = 3;
  public static final int RAW = 4;
  public static final int BREAKPOINT = 5;

  /** Bytes of the first version. */
  static final int SMALLEST = 64;

  private static final long SAMPLE_ID_ALL = 1L << 18;

  private static final String[] HARDWARE_NAMES = {
    "cycles",
    "instructions",
    "cache-references",
    "cache-misses",
    "branches",
    "branch-misses",
    "bus-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "ref-cycles"
  };
  private static final String[] SOFTWARE_NAMES = {
    "cpu-clock",
    "task-clock",
    "page-faults",
    "context-switches",
    "cpu-migrations",
    "minor-faults",
    "major-faults",
    "alignment-faults",
    "emulation-faults",
    "dummy",
    "bpf-output",
    "cgroup-switches"
  };

  /** Reads one; a shorter one has zeroes for what it lacks. */
  static Attribute read(ByteBuffer from, int size) {
    return new Attribute(
        from.getInt(from.position()),
        number(from, 8, size),
        number(from, 24, size),
        number(from, 32, size),
        number(from, 40, size),
        number(from, 72, size),
        number(from, 80, size),
        number(from, 96, size));
  }

  private static long number(ByteBuffer from, int at, int size) {
    return at + 8 <= size ? from.getLong(from.position() + at) : 0;
  }

  /** Whether records that are no samples end with who and when. */
  boolean hasIds() {
    return (flags & SAMPLE_ID_ALL) != 0;
  }

  /** Whether samples have call chains. */
  public boolean hasStacks() {
    return (sampleType & RecordFields.CALLS) != 0;
  }

  /** Its name as perf has it, if the file does not say one. */
  public String name() {
    return switch (type) {
      case HARDWARE -> named(HARDWARE_NAMES, config & 0xFFFFFFFFL, "hardware-");
      case SOFTWARE -> named(SOFTWARE_NAMES, config, "software-");
      case TRACEPOINT -> "tracepoint-" + config;
      case CACHE -> "cache-0x" + Long.toHexString(config);
      case RAW -> "r" + Long.toHexString(config);
      case BREAKPOINT -> "breakpoint";
      default -> "event-" + type + "-0x" + Long.toHexString(config);
    };
  }

  private static String named(String[] names, long number, String prefix) {
    return number >= 0 && number < names.length ? names[(int) number] : prefix + number;
  }
}
