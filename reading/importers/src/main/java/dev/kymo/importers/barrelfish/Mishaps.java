package dev.kymo.importers.barrelfish;

import java.util.ArrayList;
import java.util.List;

/** Lines of a log that could not be taken as they stand: how often, and where the first was. */
final class Mishaps {
  private final String log;
  private long notUnderstood;
  private long firstNotUnderstood;
  private long back;
  private String firstBack = "";

  /**
   * No mishaps so far.
   *
   * @param log name of the log in messages
   */
  Mishaps(String log) {
    this.log = log;
  }

  void notUnderstood(long line) {
    if (notUnderstood++ == 0) {
      firstNotUnderstood = line;
    }
  }

  /** Time steps back in a core, or before 0. */
  void back(long line, int core, long time, long before) {
    if (back++ == 0) {
      firstBack = "%s:%d core=%d time=%d before=%d".formatted(log, line, core, time, before);
    }
  }

  /** A sentence about each. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    if (notUnderstood > 0) {
      texts.add(
          "lines that do not belong to a trace log were left out: count=%d first=%s:%d"
              .formatted(notUnderstood, log, firstNotUnderstood));
    }
    if (back > 0) {
      texts.add(
          "time steps back within a core; these events are shown at the time of the event before:"
              + " count=%d first=%s".formatted(back, firstBack));
    }
    return texts;
  }
}
