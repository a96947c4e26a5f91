package dev.kymo.recorder;

import dev.kymo.recorder.platform.RecorderThreads;
import java.util.concurrent.TimeUnit;

/**
 * The last work of a recording, done while the virtual machine goes down. The program's exit waits
 * for it, but never longer than two seconds: it may depend on something that never answers, such as
 * a flight recorder that was about to start, or a stopped drainer. So the work runs on daemon
 * threads, which the virtual machine does not wait for.
 *
 * <p>None of Kymo's threads is left in a system call: the virtual machine waits three tenths of a
 * second for such threads.
 *
 * <p>One thing may take longer: the flight recorder writes the program's own flight recordings at
 * its end, as it does without Kymo.
 */
final class Farewell implements Runnable {
  /** The part of the time for waits of threads. */
  static final long SOURCES_MILLIS = 1_500;

  /**
   * The part of the time for waits and the last definitions; the rest is for the flight recorder.
   */
  private static final long RECORDER_MILLIS = 1_700;

  private final ProcessRecorder recorder;

  Farewell(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  /** Makes the virtual machine call this when it goes down. */
  void register() {
    Thread hook = RecorderThreads.thread(this, RecorderThreads.FAREWELL);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void run() {
    recorder.closeSocket();
    if (!recorder.isStopped()) {
      sayFarewell();
    }
    recorder.ending().afterEnd();
  }

  private void sayFarewell() {
    RecorderThreads.farewell(Thread.currentThread());
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RECORDER_MILLIS);
    if (!isDone(recorder.ending()::endSources, SOURCES_MILLIS)) {
      recorder.ending().sourcesAreLate();
    }
    isDone(this::sayLast, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    recorder.ended();
  }

  private void sayLast() {
    recorder.ending().sayLast();
    recorder.ending().keepFindings();
  }

  /** Whether some work was done in time; it goes on if not. */
  private static boolean isDone(Runnable work, long millis) {
    try {
      Thread worker = RecorderThreads.daemon(work, RecorderThreads.FAREWELL);
      worker.start();
      worker.join(Math.max(1, millis));
      return !worker.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError e) {
      // no thread: no farewell is better than one that may last forever
    }
    return false;
  }
}
