package dev.kymo.query.rules;

/**
 * What a rule does not allow, as it was seen while it was recorded.
 *
 * @param process number in the recording
 * @param thread number in the process
 * @param name of the thread; empty = it has none
 * @param begin clock, in ticks
 * @param end clock, in ticks
 * @param open whether it had not ended then
 * @param what it is, for people
 */
public record LiveViolation(
    Rule rule,
    int process,
    int thread,
    String name,
    long begin,
    long end,
    boolean open,
    String what) {

  /**
   * One line about it.
   *
   * @param nanos how long it took, or has taken so far
   */
  public String text(long nanos) {
    String length = end == begin ? "" : (open ? "for " : "") + Durations.text(nanos) + "  ";
    String still = open ? ", has not ended" : "";
    return "%s: %s%s (%d/%d): %s%s"
        .formatted(rule.name(), length, name, process, thread, what, still);
  }
}
