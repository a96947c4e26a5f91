package dev.kymo.importers.jfr;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.locks.LockSupport;

/** A program whose waits, exceptions and work are known; it runs with the Flight Recorder. */
public final class RecordedProgram {
  private static final Object LOCK = new Object();
  private static final DoubleAdder SUM = new DoubleAdder();

  private RecordedProgram() {}

  /** Does it. */
  @SuppressWarnings("WaitNotInLoop") // whether it is woken too early does not matter
  public static void main(String[] arguments) throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    Thread holder =
        new Thread(
            () -> {
              synchronized (LOCK) {
                held.countDown();
                sleep(60);
              }
            },
            "holder");
    holder.start();
    held.await();
    synchronized (LOCK) {
      LOCK.wait(40);
    }
    for (int i = 0; i < 3; i++) {
      sleep(25);
    }
    LockSupport.parkNanos(LOCK, 30_000_000);
    holder.join();
    Thread virtual = Thread.ofVirtual().name("light").start(() -> sleep(25));
    virtual.join();
    for (int i = 0; i < 5; i++) {
      try {
        throw new IllegalStateException("number " + i);
      } catch (IllegalStateException e) {
        SUM.add(String.valueOf(e.getMessage()).length());
      }
    }
    Path file = Files.createTempFile("recorded", ".txt");
    Files.writeString(file, "text");
    SUM.add(Files.readString(file).length());
    Files.delete(file);
    long end = System.nanoTime() + 500_000_000;
    while (System.nanoTime() < end) {
      SUM.add(work(1000));
    }
    System.gc();
    System.out.println(SUM.sum());
  }

  private static double work(int n) {
    double sum = 0;
    for (int i = 1; i < n; i++) {
      sum += Math.sin(i) / i;
    }
    return sum;
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
