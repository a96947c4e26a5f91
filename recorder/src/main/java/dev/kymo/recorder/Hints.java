package dev.kymo.recorder;

import java.util.List;

/**
 * How notices begin that say what an option has named in vain. Each process says it for itself; who
 * records says it when all did.
 */
public final class Hints {
  /** Followed by the pattern. */
  public static final String INCLUDE =
      "no class or method that can be recorded was there: --include ";

  /** Followed by the pattern; so are those below. */
  public static final String START_ON = "the event was not there: --start-on ";

  public static final String STOP_ON = "the event was not there: --stop-on ";

  public static final String SNAPSHOT_ON = "the event was not there: --snapshot-on ";

  public static final List<String> ALL = List.of(INCLUDE, START_ON, STOP_ON, SNAPSHOT_ON);

  private Hints() {}
}
