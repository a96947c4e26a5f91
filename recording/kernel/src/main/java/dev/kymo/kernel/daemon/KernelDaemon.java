package dev.kymo.kernel.daemon;

import dev.kymo.format.Clock;
import dev.kymo.kernel.KernelCapture;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives kernel events to everybody who asks at a socket: all events to root, and to other users
 * those of their own processes. It has two threads, however many clients there are.
 */
public final class KernelDaemon implements AutoCloseable {
  private static final int SMALL_BUFFER_KB = 64;
  private static final int LOOK_SECONDS = 5;

  private final SocketThread sockets;
  private final CaptureThread captures;

  private final Path path;

  private KernelDaemon(
      DaemonOptions options, long mostWaiting, SocketFile socket, Catalogue catalogue)
      throws IOException {
    path = socket.path();
    Set<Integer> ownThreads = ConcurrentHashMap.newKeySet();
    sockets = new SocketThread(socket, options, ownThreads);
    captures = new CaptureThread(options, mostWaiting, ownThreads, sockets::cutOff, sockets::wake);
    Requests requests = new Requests(options, catalogue, captures, sockets::clients);
    captures.start();
    sockets.start(requests);
  }

  /**
   * Begins to serve, and removes what dead processes left in the kernel.
   *
   * @throws KernelException with what to do, if it cannot serve
   */
  public static KernelDaemon open(DaemonOptions options) throws IOException {
    return open(options, CaptureThread.MOST_WAITING, null);
  }

  /**
   * The same at a socket that somebody else has made, and keeps.
   *
   * @param given listens already; the socket of the options does not count
   */
  public static KernelDaemon open(DaemonOptions options, ServerSocketChannel given)
      throws IOException {
    return open(options, CaptureThread.MOST_WAITING, given);
  }

  /**
   * Begins to serve.
   *
   * @param mostWaiting bytes that may wait for one client
   */
  static KernelDaemon open(DaemonOptions wanted, long mostWaiting) throws IOException {
    return open(wanted, mostWaiting, null);
  }

  private static KernelDaemon open(
      DaemonOptions wanted, long mostWaiting, @Nullable ServerSocketChannel given)
      throws IOException {
    DaemonOptions options =
        new DaemonOptions(
            wanted.socket(),
            wanted.clients(),
            wanted.clocks(),
            wanted.version(),
            new LimitedLog(wanted.log()));
    Catalogue catalogue = new Catalogue(Tracefs.find());
    SocketFile socket = given == null ? SocketFile.open(options.socket()) : SocketFile.given(given);
    try {
      sweep(options);
      return new KernelDaemon(options, mostWaiting, socket, catalogue);
    } catch (IOException | RuntimeException e) {
      try (socket) {
        throw e;
      }
    }
  }

  /** A capture removes what is left of others when it begins. */
  private static void sweep(DaemonOptions options) throws IOException {
    Map.Entry<String, LongSupplier> clock = options.clocks().entrySet().iterator().next();
    KernelCapture.open(Set.of(), clock.getKey(), clock.getValue(), SMALL_BUFFER_KB, options.log())
        .close();
  }

  /** The clock that every machine has. */
  public static Map<String, LongSupplier> monotonic() {
    return Map.of(Clock.MONOTONIC, System::nanoTime);
  }

  public Path socket() {
    return path;
  }

  /** Serves until then, or until it cannot serve any more. */
  public void await(CountDownLatch end) throws InterruptedException, KernelException {
    while (!end.await(LOOK_SECONDS, TimeUnit.SECONDS)) {
      if (!sockets.isAlive() || !captures.isAlive()) {
        throw new KernelException("the daemon ends, since a part of it failed");
      }
    }
  }

  /** Ends: nothing is left in the kernel, and the socket is gone. */
  @Override
  public void close() throws InterruptedException {
    sockets.end();
    captures.end();
  }
}
