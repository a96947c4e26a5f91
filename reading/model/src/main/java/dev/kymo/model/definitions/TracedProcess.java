package dev.kymo.model.definitions;

/**
 * A recorded process.
 *
 * @param process number in the recording
 * @param jvm name and version of its virtual machine
 * @param end how its recording ended: {@code ended}, {@code killed}, {@code stopped}, or {@code
 *     unknown}
 * @param lost events of threads for which there was no ring
 * @param clockError nanoseconds by which its times may be wrong on the recording's clock; 0 = it is
 *     the process's own
 */
public record TracedProcess(
    int process,
    int pid,
    int parentPid,
    String command,
    String jvm,
    String end,
    long lost,
    long clockError) {
  private static final String NATIVE = "native";

  /** Whether it ran no virtual machine that recorded it. */
  public boolean isNative() {
    return jvm.equals(NATIVE);
  }
}
