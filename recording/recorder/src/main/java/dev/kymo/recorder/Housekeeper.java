package dev.kymo.recorder;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A daemon thread that does what has time: asks whether to stop, keeps thread names and clock pairs
 * up to date, measures what probes cost and keeps the budget.
 */
final class Housekeeper implements Runnable {
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int ROUNDS_PER_CLOCK_PAIR = 10;

  /** Rounds after which probes are measured: at first the JIT compiler has other things to do. */
  private static final int[] CALIBRATIONS = {2, 40, 200};

  /** After 10 seconds, a minute, and ten: a program that is killed says nothing at its end. */
  private static final int[] KEEPING = {100, 600, 6000};

  private final ProcessRecorder recorder;
  private final Calibration calibration;

  Housekeeper(ProcessRecorder recorder) {
    this.recorder = recorder;
    this.calibration = new Calibration(recorder);
  }

  void start() {
    Thread thread = daemon(this, "kymo");
    recorder.budget().governor(thread);
    thread.start();
    new Farewell(recorder).register();
  }

  @Override
  public void run() {
    OwnThreads.begin();
    try {
      int round = 0;
      long due = System.nanoTime() + PERIOD;
      while (!recorder.isStopped()) {
        LockSupport.parkNanos(Math.max(1, due - System.nanoTime()));
        if (recorder.stopRequested()) {
          if (recorder.drainerIsDead()) {
            Messages.print(
                "the recorder is gone, recording stops: recording="
                    + recorder.session().recording());
          }
          recorder.stop();
          return;
        }
        if (recorder.budget().isLimited()) {
          recorder.governor().round();
        }
        if (System.nanoTime() - due >= 0) {
          due = System.nanoTime() + PERIOD;
          keepHouse(++round);
        }
      }
    } catch (RuntimeException e) {
      recorder.fault("the recorder's housekeeping failed", e);
    }
  }

  private void keepHouse(int round) {
    if (round == 1) {
      recorder.listen();
      FastCalls.speedUp();
    }
    recorder.keepNames();
    recorder.ending().loseFailed();
    for (int due : CALIBRATIONS) {
      if (round == due) {
        recorder.inBackground(this::calibrate, OwnThreads.MEASURING);
      }
    }
    for (int due : KEEPING) {
      if (round == due) {
        recorder.inBackground(recorder.ending()::keepFindings, OwnThreads.KEEPING);
      }
    }
    if (round % ROUNDS_PER_CLOCK_PAIR == 0) {
      recorder.defineClockPair();
      recorder.defineOwnCost();
    }
  }

  private void calibrate() {
    try {
      calibration.measure();
    } catch (InterruptedException e) {
      // the recording is over
    } catch (RuntimeException e) {
      recorder.fault("measuring the probes failed", e);
    }
  }

  static Thread daemon(Runnable work, String name) {
    Thread thread = thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  static Thread thread(Runnable work, String name) {
    Runnable unrecorded =
        () -> {
          OwnWork.begin();
          work.run();
        };
    Thread thread = new Thread(systemGroup(), unrecorded, name, 0, false);
    thread.setContextClassLoader(null);
    return thread;
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
