package dev.kymo.server;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.access.Access;
import dev.kymo.server.access.Guard;
import dev.kymo.server.access.PeerUser;
import dev.kymo.server.export.Exports;
import dev.kymo.server.http.Jobs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Serves recordings and the viewer to the browsers of one user of this machine: of the one who runs
 * it and has its link. Listens on loopback only; every request gets a virtual thread of its own.
 */
public final class KymoServer implements AutoCloseable {
  private static final int BACKLOG = 64;

  /** Work that nobody has asked for during this time is given up. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long REQUEST_SECONDS = 10;

  private final HttpServer http;
  private final ExecutorService threads;
  private final Jobs jobs;
  private final Exports exports;
  private final Access access;
  private final List<ServedRecording> recordings;

  private KymoServer(
      HttpServer http,
      ExecutorService threads,
      Jobs jobs,
      Exports exports,
      Access access,
      List<ServedRecording> recordings) {
    this.recordings = recordings;
    this.http = http;
    this.access = access;
    this.jobs = jobs;
    this.exports = exports;
    this.threads = threads;
  }

  /** Starts serving one recording. */
  public static KymoServer start(Timeline timeline, int port) throws IOException {
    return start(List.of(timeline), port);
  }

  /**
   * Starts serving: one recording at {@code /}, several at {@code /1/}, {@code /2/} and so on, with
   * a page at {@code /} that shows them together.
   *
   * @param timelines stay the caller's to close, after the server
   * @param port 0 = any free one
   * @throws IOException if the port cannot be had
   */
  public static KymoServer start(List<Timeline> timelines, int port) throws IOException {
    return start(timelines, port, false, false);
  }

  /**
   * The same.
   *
   * @param programs whether programs may ask too, with the secret {@link #bearer}
   * @param renewed whether other recordings may take their places: {@link #renew}
   */
  public static KymoServer start(
      List<Timeline> timelines, int port, boolean programs, boolean renewed) throws IOException {
    // Header and body leave in two writes; without this the second waits for the first one's
    // acknowledgement.
    set("sun.net.httpserver.nodelay", "true");
    // Who takes longer to say what is asked for is not heard any more.
    set("sun.net.httpserver.maxReqTime", Long.toString(REQUEST_SECONDS));
    InetAddress loopback = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    HttpServer http = HttpServer.create(new InetSocketAddress(loopback, port), BACKLOG);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    http.setExecutor(threads);
    Jobs jobs = new Jobs(PATIENCE_NANOS);
    Exports exports = new Exports(PATIENCE_NANOS);
    Access access = new Access(http.getAddress().getPort());
    Guard guard =
        new Guard(http.getAddress().getPort(), access, PeerUser.ofThisProcess(), programs);
    List<String> names = RecordingNames.of(timelines);
    List<ServedRecording> recordings = new ArrayList<>();
    for (int i = 0; i < timelines.size(); i++) {
      recordings.add(new ServedRecording(timelines.get(i), names.get(i), jobs, exports, renewed));
    }
    if (timelines.size() == 1) {
      serve(http, guard, "/", ViewerHandler.alone());
      serve(http, guard, "/api/", recordings.getFirst());
    } else {
      serve(http, guard, "/", ViewerHandler.frames());
      serve(http, guard, "/api/", new RecordingsHandler(recordings, jobs));
      for (int i = 0; i < timelines.size(); i++) {
        String path = "/" + (i + 1) + "/";
        serve(http, guard, path, ViewerHandler.framed());
        serve(http, guard, path + "api/", recordings.get(i));
      }
    }
    http.start();
    return new KymoServer(http, threads, jobs, exports, access, recordings);
  }

  /** Read once by the JDK's server, so it must be called before the first use. */
  private static void set(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  private static void serve(HttpServer http, Guard guard, String path, HttpHandler handler) {
    http.createContext(path, handler).getFilters().add(guard);
  }

  /** What to type into a browser: who has this link sees the recording. */
  public URI uri() {
    return uri(access.query());
  }

  /** What programs send as {@code Authorization: Bearer}, if they may ask. */
  public String bearer() {
    return access.bearer();
  }

  /** The same for a command line, which everybody can read: it works once. */
  public URI uriForOnce() {
    return uri(access.queryOnce());
  }

  private URI uri(String query) {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/?" + query);
  }

  /**
   * Another recording takes the place of one; pages that show it notice. Only if it was started so.
   *
   * @param index from 0
   * @param timeline stays the caller's, as does the one before, about which answers may still be
   *     under way for some seconds
   */
  public void renew(int index, Timeline timeline) {
    recordings.get(index).renew(timeline);
  }

  /** What readers of all pages should know, until the next recordings; empty = nothing. */
  public void say(String news) {
    recordings.forEach(recording -> recording.say(news));
  }

  /** Stops at once; answers under way are cut. */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
    jobs.close();
    exports.close();
    recordings.forEach(ServedRecording::close);
  }
}
