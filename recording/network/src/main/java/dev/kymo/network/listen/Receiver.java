package dev.kymo.network.listen;

import dev.kymo.network.wire.MachineBoot;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** Receives recordings until it is closed: a thread accepts, each connection has one of its own. */
public final class Receiver implements AutoCloseable {
  private static final int BACKLOG = 256;
  private static final int SYNCERS = 4;
  private static final int TAKE_OVER_MILLIS = 10_000;

  private final ServerSocket socket;
  private final Identity identity;
  private final Limits limits;
  private final Recordings recordings;
  private final Keeper keeper;
  private final Consumer<String> log;
  private final String clock;
  private final Set<Incoming> connections = ConcurrentHashMap.newKeySet();
  private final Set<Incoming> senders = ConcurrentHashMap.newKeySet();
  private final Map<UUID, Incoming> writers = new HashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService syncers =
      Executors.newFixedThreadPool(SYNCERS, Thread.ofPlatform().name("kymo sync-", 0).factory());
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("kymo deadlines").factory());
  private final Strangers strangers;

  private Receiver(
      ServerSocket socket, Path directory, Identity identity, Limits limits, Consumer<String> log)
      throws IOException {
    this.socket = socket;
    this.identity = identity;
    this.limits = limits;
    this.log = log;
    this.recordings = new Recordings(directory);
    this.keeper = Keeper.start(recordings, limits.kept(), log);
    this.strangers = new Strangers(log, deadlines);
    // A clock of the same boot goes on when the receiver begins anew.
    this.clock = MachineBoot.id();
  }

  /**
   * Begins to listen.
   *
   * @param directory where recordings go; must exist
   * @param log takes a line about each sender that comes, ends or is refused
   */
  public static Receiver start(
      InetSocketAddress address,
      Path directory,
      Identity identity,
      Limits limits,
      Consumer<String> log)
      throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(address, BACKLOG);
      Receiver receiver = new Receiver(socket, directory, identity, limits, log);
      Thread.ofPlatform().name("kymo listener").start(receiver::accept);
      return receiver;
    } catch (IOException e) {
      socket.close();
      throw new IOException(
          "cannot listen: address=%s error=\"%s\"".formatted(address, e.getMessage()), e);
    }
  }

  /** The port, which the system chose if none was given. */
  public int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket sender = socket.accept();
        Incoming incoming = new Incoming(this, sender);
        connections.add(incoming);
        strangers.came(incoming, sender.getInetAddress());
        threads.execute(incoming);
      } catch (RejectedExecutionException e) {
        return; // it was closed meanwhile, with all its connections
      } catch (IOException e) {
        if (!socket.isClosed()) {
          log.accept("a connection was not accepted: error=\"" + e.getMessage() + "\"");
          pause();
        }
      }
    }
  }

  /** Too many open files, say: they become fewer. */
  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** It has said who it is; false: there are too many senders. */
  boolean takeSender(Incoming connection) {
    strangers.left(connection);
    senders.add(connection);
    return senders.size() <= limits.senders();
  }

  /** A sender that comes back ends its own connection that has not been found dead yet. */
  void takeOver(UUID recording, Incoming by) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TAKE_OVER_MILLIS * 1_000_000L;
    synchronized (writers) {
      while (writers.containsKey(recording)) {
        writers.get(recording).hangUp();
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw new IOException("another connection still writes this recording");
        }
        writers.wait(left);
      }
      writers.put(recording, by);
    }
  }

  void leave(UUID recording, Incoming by) {
    synchronized (writers) {
      writers.remove(recording, by);
      writers.notifyAll();
    }
  }

  void ended(Incoming connection) {
    connections.remove(connection);
    senders.remove(connection);
    strangers.left(connection);
  }

  void log(String line) {
    log.accept(line);
  }

  Strangers strangers() {
    return strangers;
  }

  Identity identity() {
    return identity;
  }

  Limits limits() {
    return limits;
  }

  Recordings recordings() {
    return recordings;
  }

  Keeper keeper() {
    return keeper;
  }

  String clock() {
    return clock;
  }

  ExecutorService syncers() {
    return syncers;
  }

  ScheduledExecutorService deadlines() {
    return deadlines;
  }

  /** Ends all connections; what was acknowledged is on disk. */
  @Override
  public void close() throws IOException {
    socket.close();
    threads.shutdown();
    connections.forEach(Incoming::hangUp);
    threads.close();
    syncers.close();
    deadlines.shutdownNow();
    keeper.close();
    strangers.summarize();
  }
}
