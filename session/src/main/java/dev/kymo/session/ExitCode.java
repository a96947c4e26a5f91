package dev.kymo.session;

/** The exit codes of commands. */
public final class ExitCode {
  public static final int OK = 0;

  /** It could not do its task. */
  public static final int FAILED = 1;

  /** It was used wrongly, or what it should run or read does not exist. */
  public static final int USAGE = 2;

  /** It did its task, and what it has found is not as it should be. */
  public static final int FINDINGS = 3;

  private ExitCode() {}
}
