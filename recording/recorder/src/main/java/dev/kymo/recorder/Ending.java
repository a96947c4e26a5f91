package dev.kymo.recorder;

/** What is done when the recording of this process ends, or the program does. */
public final class Ending {
  private final ProcessRecorder recorder;
  private volatile Runnable before = () -> {};
  private volatile Runnable after = () -> {};
  private volatile Runnable hints = () -> {};
  private volatile Runnable keep = () -> {};
  private volatile boolean late;
  private int failuresTold = Probe.failed();

  Ending(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  /** Sets what is to be written before this process says that it ends. */
  public void before(Runnable action) {
    before = action;
  }

  /** Sets what is done after that when the program exits, for as long as it takes. */
  public void after(Runnable action) {
    after = action;
  }

  /** Sets who says at the end what was asked for in vain. */
  public void hints(Runnable action) {
    hints = action;
  }

  /** Sets who keeps what was found out about methods for the next run. */
  public void keep(Runnable action) {
    keep = action;
  }

  /** Keeps what was found out about methods so far for the next run. */
  void keepFindings() {
    keep.run();
  }

  /** Has everything written that comes from elsewhere than the program's threads. */
  void endSources() {
    try {
      before.run();
    } catch (RuntimeException | LinkageError e) {
      recorder.notice("the last of what threads waited for is missing: error=" + e);
    }
  }

  /** The end of the program cannot wait for {@link #endSources}. */
  void sourcesAreLate() {
    late = true;
  }

  /** Writes the last definitions. */
  void sayLast() {
    if (late) {
      recorder.notice(
          "the last of what threads waited for is missing: an exit waits for it for at most ms="
              + Farewell.SOURCES_MILLIS);
    }
    hints.run();
    OwnEvents.tellUnused(recorder);
    recorder.keepNames();
    loseFailed();
    recorder.defineClockPair();
    recorder.defineOwnCost();
    recorder.governor().publish();
  }

  /** Counts the events that probes have failed to record since the last time. */
  synchronized void loseFailed() {
    for (int failed = Probe.failed(); failuresTold != failed; failuresTold++) {
      recorder.lose();
    }
  }

  /** Does what an exit of the program does after the recording has ended. */
  void afterEnd() {
    after.run();
  }
}
