package dev.kymo.recorder;

/**
 * A daemon thread that does what has time: asks whether to stop, keeps thread names and clock pairs
 * up to date, and says a proper farewell when the virtual machine goes down.
 */
final class Housekeeper implements Runnable {
  private static final long PERIOD_MILLIS = 100;
  private static final int ROUNDS_PER_CLOCK_PAIR = 10;

  private final ProcessRecorder recorder;

  Housekeeper(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  void start() {
    Thread thread = new Thread(systemGroup(), this, "kymo", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    Thread farewell = new Thread(systemGroup(), this::sayEnded, "kymo farewell", 0, false);
    farewell.setContextClassLoader(null);
    Runtime.getRuntime().addShutdownHook(farewell);
  }

  @Override
  public void run() {
    try {
      for (int round = 1; !recorder.isStopped(); round++) {
        Thread.sleep(PERIOD_MILLIS);
        if (recorder.stopRequested()) {
          if (recorder.drainerIsDead()) {
            Messages.print(
                "the recorder is gone, recording stops: recording="
                    + recorder.session().recording());
          }
          recorder.stop();
          return;
        }
        recorder.keepNames();
        if (round % ROUNDS_PER_CLOCK_PAIR == 0) {
          recorder.defineClockPair();
        }
      }
    } catch (InterruptedException e) {
      recorder.stop();
    } catch (RuntimeException e) {
      recorder.fault("the recorder's housekeeping failed", e);
    }
  }

  private void sayEnded() {
    if (!recorder.isStopped()) {
      recorder.sayEnded();
    }
  }

  /** Not the program's group: that one may be destroyed, or counted, by the program. */
  private static ThreadGroup systemGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }
}
