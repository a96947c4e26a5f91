package dev.kymo.kernel.daemon;

import dev.kymo.kernel.KernelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes events for all clients, with one capture for each clock in use, and starts and stops them.
 * Other threads give it work; it gives answers and events to the clients' queues.
 */
final class CaptureThread {
  /** Bytes that may wait for one client by default. */
  static final long MOST_WAITING = 64L << 20;

  private static final long LEAST_WAITING = 1L << 20;
  private static final long WORK_NANOS = 50_000_000;

  private final Map<String, LongSupplier> clocks;
  private final Consumer<String> log;
  private final Consumer<Client> cutOff;
  private final long mostWaiting;
  private final Runnable given;
  private final Map<String, SharedCapture> captures = new HashMap<>();
  private final LinkedBlockingQueue<Work> work = new LinkedBlockingQueue<>();
  private final AtomicInteger receivers = new AtomicInteger();
  private final Set<Integer> ownThreads;
  private final Thread thread;
  private volatile boolean ending;

  /** A task; what it throws is the client's answer. */
  private interface Work {
    void run() throws IOException;
  }

  /**
   * Not running yet.
   *
   * @param mostWaiting bytes that may wait for one client
   * @param ownThreads filled by the daemon's threads
   * @param cutOff takes a client that cannot be served any more; called by any thread
   * @param given called when clients were given something
   */
  CaptureThread(
      DaemonOptions options,
      long mostWaiting,
      Set<Integer> ownThreads,
      Consumer<Client> cutOff,
      Runnable given) {
    this.mostWaiting = mostWaiting;
    this.clocks = options.clocks();
    this.log = options.log();
    this.ownThreads = ownThreads;
    this.cutOff = cutOff;
    this.given = given;
    this.thread = Thread.ofPlatform().name("kymo capture").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  /** Turns events on for a client, which is answered. */
  void start(Client client, Registration registration, Set<String> events, String services) {
    submit(
        client,
        Frames.START,
        () -> {
          SharedCapture capture = captures.get(registration.clock);
          if (capture == null) {
            capture = open(client, registration);
          }
          try {
            capture.start(client, registration, events);
          } finally {
            endIfUnused(registration.clock, capture);
          }
          client.running = services;
          client.out.answer(Frames.ok(Frames.START).frame());
        });
  }

  private SharedCapture open(Client client, Registration registration) throws KernelException {
    LongSupplier clock = clocks.get(registration.clock);
    if (clock == null) {
      throw new KernelException("no such clock: clock=" + registration.clock);
    }
    boolean root = client.uid == 0;
    SharedCapture capture =
        new SharedCapture(registration, root, clock, this::limit, ownThreads, log);
    captures.put(registration.clock, capture);
    return capture;
  }

  /** Turns events off for a client, which is answered after the last of them. */
  void stop(Client client, Registration registration, Set<String> events, String left) {
    submit(
        client,
        Frames.STOP,
        () -> {
          SharedCapture capture = captures.get(registration.clock);
          if (capture == null || !capture.stop(client, events)) {
            client.out.answer(Frames.ok(Frames.STOP).u64(0).u32(0).u32(0).frame());
          } else {
            endIfUnused(registration.clock, capture);
          }
          client.running = left;
        });
  }

  /** The client needs nothing any more, and is answered if it is still connected. */
  void gone(Client client, Registration registration, boolean answer) {
    submit(
        client,
        Frames.UNREGISTER,
        () -> {
          client.running = "";
          SharedCapture capture = captures.get(registration.clock);
          if (capture != null) {
            capture.gone(client);
            endIfUnused(registration.clock, capture);
          }
          if (answer) {
            client.out.answer(Frames.ok(Frames.UNREGISTER).frame());
          }
        });
  }

  private void submit(Client client, int request, Work task) {
    client.asked.incrementAndGet();
    work.add(() -> {
      client.asked.decrementAndGet();
      try {
        task.run();
      } catch (IOException e) {
        log.accept(client + " failed: " + Frames.name(request) + ": " + e.getMessage());
        client.out.answer(Frames.failed(request, String.valueOf(e.getMessage())));
      }
      given.run();
    });
  }

  private void endIfUnused(String clock, SharedCapture capture) throws IOException {
    if (capture.isUnused()) {
      captures.remove(clock);
      capture.finish();
    }
  }

  /** Bytes that may wait for one client. */
  private long limit() {
    long all = Runtime.getRuntime().maxMemory() / 2;
    return Math.clamp(all / Math.max(1, receivers.get()), LEAST_WAITING, mostWaiting);
  }

  private void run() {
    try {
      ownThreads.add(ownTid());
      while (!ending) {
        Work next = captures.isEmpty() ? work.take() : work.poll();
        long until = System.nanoTime() + WORK_NANOS; // events must not wait for all requests
        while (next != null) {
          next.run();
          next = System.nanoTime() < until ? work.poll() : null;
        }
        receivers.set(captures.values().stream().mapToInt(c -> c.clients().size()).sum());
        rounds();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      log.accept("capture ends: " + e);
    } finally {
      closeAll();
    }
  }

  static int ownTid() throws IOException {
    Path name = Path.of("/proc/thread-self").toRealPath().getFileName();
    return Integer.parseInt(String.valueOf(name));
  }

  private void rounds() {
    for (Iterator<SharedCapture> all = captures.values().iterator(); all.hasNext(); ) {
      SharedCapture capture = all.next();
      try {
        capture.round();
        given.run();
      } catch (IOException | RuntimeException e) {
        log.accept("capture failed: " + e);
        all.remove();
        fail(capture, e);
      }
    }
  }

  private void fail(SharedCapture capture, @Nullable Exception e) {
    List<Client> clients = capture.clients();
    close(capture);
    for (Client client : clients) {
      client.out.answer(Frames.failed(0, "the daemon's capture failed: " + e));
      cutOff.accept(client);
    }
  }

  private void close(SharedCapture capture) {
    try {
      capture.close();
    } catch (IOException e) {
      log.accept(String.valueOf(e.getMessage()));
    }
  }

  private void closeAll() {
    captures.values().forEach(this::close);
    captures.clear();
  }

  /** Ends it; nothing is left in the kernel. */
  void end() throws InterruptedException {
    ending = true;
    work.add(() -> {});
    thread.join();
  }
}
