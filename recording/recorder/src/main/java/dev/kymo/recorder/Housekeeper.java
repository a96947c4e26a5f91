package dev.kymo.recorder;

import dev.kymo.recorder.budget.Calibration;
import dev.kymo.recorder.platform.FastCalls;
import dev.kymo.recorder.platform.Messages;
import dev.kymo.recorder.platform.RecorderCost;
import dev.kymo.recorder.platform.RecorderThreads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A daemon thread that performs non-urgent work: it checks whether to stop, keeps thread names and
 * clock pairs up to date, measures the cost of probes and keeps the budget.
 */
final class Housekeeper implements Runnable {
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int ROUNDS_PER_CLOCK_PAIR = 10;

  /** Rounds after which probes are measured: at first the JIT compiler has other things to do. */
  private static final int[] CALIBRATIONS = {2, 40, 200};

  /**
   * After 10 seconds, one minute and ten minutes: a killed program cannot report anything at its
   * end.
   */
  private static final int[] KEEPING = {100, 600, 6000};

  private final ProcessRecorder recorder;
  private final Calibration calibration;

  Housekeeper(ProcessRecorder recorder) {
    this.recorder = recorder;
    this.calibration = recorder.calibration();
  }

  void start() {
    Thread thread = RecorderThreads.daemon(this, RecorderThreads.HOUSEKEEPING);
    recorder.budget().governor(thread);
    thread.start();
    new Farewell(recorder).register();
  }

  @Override
  public void run() {
    RecorderCost.begin();
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
    recorder.keepDefinitions(false);
    recorder.ending().loseFailed();
    for (int due : CALIBRATIONS) {
      if (round == due) {
        recorder.background().run(this::calibrate, RecorderThreads.MEASURING);
      }
    }
    for (int due : KEEPING) {
      if (round == due) {
        recorder.background().run(recorder.ending()::keepFindings, RecorderThreads.KEEPING);
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
}
