package dev.kymo.server;

import com.sun.net.httpserver.HttpServer;
import dev.kymo.model.Timeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Serves one recording and the viewer to browsers on this machine. Listens on loopback only; every
 * request gets a virtual thread of its own.
 */
public final class KymoServer implements AutoCloseable {
  private static final int BACKLOG = 64;

  /** Work that nobody has asked for so long is given up. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final HttpServer http;
  private final ExecutorService threads;
  private final Jobs jobs;

  private KymoServer(HttpServer http, ExecutorService threads, Jobs jobs) {
    this.http = http;
    this.jobs = jobs;
    this.threads = threads;
  }

  /**
   * Starts serving.
   *
   * @param timeline stays the caller's to close, after the server
   * @param port 0 = any free one
   * @throws IOException if the port cannot be had
   */
  public static KymoServer start(Timeline timeline, int port) throws IOException {
    // Header and body leave in two writes; without this the second waits for the first one's
    // acknowledgement. Read once by the JDK's server, so it must stand before the first use.
    if (System.getProperty("sun.net.httpserver.nodelay") == null) {
      System.setProperty("sun.net.httpserver.nodelay", "true");
    }
    InetAddress loopback = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    HttpServer http = HttpServer.create(new InetSocketAddress(loopback, port), BACKLOG);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    http.setExecutor(threads);
    Jobs jobs = new Jobs(PATIENCE_NANOS);
    Guard guard = new Guard(http.getAddress().getPort());
    http.createContext("/", new ViewerHandler()).getFilters().add(guard);
    http.createContext("/api/", new ApiHandler(timeline, jobs)).getFilters().add(guard);
    http.start();
    return new KymoServer(http, threads, jobs);
  }

  /** What to type into a browser. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/");
  }

  /** Stops at once; answers under way are cut. */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
    jobs.close();
  }
}
