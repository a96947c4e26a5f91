package dev.kymo.recorder;

import dev.kymo.format.NoticeCode;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.userevents.UserEvents;

/** The work that is done when the recording of this process ends, or when the program does. */
public final class Ending {
  private final ProcessRecorder recorder;
  private volatile Runnable before = () -> {};
  private volatile Runnable after = () -> {};
  private volatile Runnable hints = () -> {};
  private volatile Runnable keep = () -> {};
  private volatile Runnable drained = () -> {};
  private volatile boolean late;
  private int failuresTold = Probe.failed();
  private final int overflowsBefore = Probe.overflows();
  private boolean overflowsTold;

  Ending(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  /** Sets the sources that must be written before this process reports its end. */
  public void before(Runnable action) {
    before = action;
  }

  /** Sets the work that follows when the program exits, however long it takes. */
  public void after(Runnable action) {
    after = action;
  }

  /** Sets what completes the recording when the program exits, if that is done in this process. */
  public void drained(Runnable action) {
    drained = action;
  }

  /** Sets the action that reports unmatched requests at the end. */
  public void hints(Runnable action) {
    hints = action;
  }

  /** Sets the action that keeps the findings about methods for the next run. */
  public void keep(Runnable action) {
    keep = action;
  }

  /** Keeps the findings about methods so far for the next run. */
  void keepFindings() {
    keep.run();
  }

  /** Writes everything that does not come from the program's threads. */
  void endSources() {
    try {
      before.run();
    } catch (RuntimeException | LinkageError e) {
      recorder.notice(NoticeCode.LAST_WAITS_MISSING.text() + ": error=" + e);
    }
  }

  /** The end of the program cannot wait for {@link #endSources}. */
  void sourcesAreLate() {
    late = true;
  }

  void sayLast() {
    if (late) {
      recorder.notice(
          NoticeCode.LAST_WAITS_MISSING.text()
              + ": an exit waits for it for at most ms="
              + Farewell.SOURCES_MILLIS);
    }
    hints.run();
    UserEvents.tellUnused(recorder);
    loseFailed();
    recorder.defineClockPair();
    recorder.defineOwnCost();
    recorder.governor().publish();
    recorder.keepDefinitions(true);
  }

  /** Counts the events that probes have failed to record since the last time. */
  synchronized void loseFailed() {
    for (int failed = Probe.failed(); failuresTold != failed; failuresTold++) {
      recorder.lose();
    }
    if (Probe.overflows() != overflowsBefore && !overflowsTold) {
      overflowsTold = true;
      recorder.notice(
          "a thread's stack came to its end; with probes it has room for fewer calls than without,"
              + " up to half: -Xss makes it larger");
    }
  }

  /** Does the work of a program's exit that follows the end of the recording. */
  void afterEnd() {
    drained.run();
    after.run();
  }
}
