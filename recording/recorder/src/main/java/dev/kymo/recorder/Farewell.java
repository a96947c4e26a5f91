package dev.kymo.recorder;

import java.util.concurrent.TimeUnit;

/**
 * The last work of a recording, done while the virtual machine goes down. The program's exit waits
 * for it, but never longer than two seconds: what the work needs may never answer, such as a flight
 * recorder that was just about to start, or a drainer that is stopped. So the work runs on daemon
 * threads, which the virtual machine does not wait for.
 *
 * <p>None of Kymo's threads is left in a call of the system: for such the virtual machine waits
 * three tenths of a second.
 *
 * <p>One thing may take longer: flight recordings of the program's own are written at its end by
 * the flight recorder, as they are without us.
 */
final class Farewell implements Runnable {
  /** The part of it for what threads waited for. */
  static final long SOURCES_MILLIS = 1_500;

  /** The part of it for that and the last definitions; the rest is the flight recorder's. */
  private static final long RECORDER_MILLIS = 1_700;

  private final ProcessRecorder recorder;

  Farewell(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  /** Makes the virtual machine call this when it goes down. */
  void register() {
    Thread hook = Housekeeper.thread(this, OwnThreads.FAREWELL);
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
    OwnThreads.farewell(Thread.currentThread());
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
      Thread worker = Housekeeper.daemon(work, OwnThreads.FAREWELL);
      worker.start();
      worker.join(Math.max(1, millis));
      return !worker.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError e) {
      // no thread: rather no farewell than one that may last for ever
    }
    return false;
  }
}
