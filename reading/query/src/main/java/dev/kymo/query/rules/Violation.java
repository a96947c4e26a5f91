package dev.kymo.query.rules;

/**
 * What should not be there, and where it is.
 *
 * @param process number in the recording; 0 = not known
 * @param thread number in the process; 0 = not known
 * @param name of the thread; empty = it has none, or is not known
 * @param depth of a call: how many calls are around it; -1 = it is no call
 * @param begin nanoseconds since the recording's begin; -1 = not known
 * @param finish the same
 * @param what it is, for people
 */
public record Violation(
    int process, int thread, String name, int depth, long begin, long finish, String what) {
  /** Something of which nobody knows where it is. */
  static Violation nowhere(String what) {
    return new Violation(0, 0, "", -1, -1, -1, what);
  }

  /** Whether it is known when and on which thread it was. */
  public boolean hasPlace() {
    return begin >= 0 && thread > 0;
  }
}
