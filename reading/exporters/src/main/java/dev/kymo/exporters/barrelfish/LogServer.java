package dev.kymo.exporters.barrelfish;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sends a recording as bfscope, Barrelfish's tracing server, sends its log: to each client from the
 * first event on, and further while it is written. Each client reads the recording at its own
 * speed.
 */
public final class LogServer implements AutoCloseable {
  /** Clients at a time: each has the recording's files open. */
  static final int MAX_CLIENTS = 32;

  private final Path recording;
  private final BfscopeProtocol protocol;
  private final LogNumbers numbers;
  private final Predicate<Socket> admits;
  private final Consumer<String> log;
  private final ServerSocket server;
  private final Set<LogClient> clients = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean closed;

  private LogServer(
      Path recording,
      BfscopeProtocol protocol,
      LogNumbers numbers,
      Predicate<Socket> admits,
      Consumer<String> log,
      ServerSocket server) {
    this.recording = recording;
    this.protocol = protocol;
    this.numbers = numbers;
    this.admits = admits;
    this.log = log;
    this.server = server;
    this.thread = Thread.ofPlatform().name("log server").daemon().unstarted(this::run);
  }

  /**
   * Begins to listen.
   *
   * @param admits says whether a client may read the recording; asked by one thread
   * @param log takes a line about each client that comes or goes; called by several threads
   * @throws IOException if the address is taken or not allowed
   */
  public static LogServer start(
      Path recording,
      InetSocketAddress at,
      BfscopeProtocol protocol,
      LogNumbers numbers,
      Predicate<Socket> admits,
      Consumer<String> log)
      throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      server.setReuseAddress(true);
      server.bind(at);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    LogServer started = new LogServer(recording, protocol, numbers, admits, log, server);
    started.thread.start();
    return started;
  }

  public int port() {
    return server.getLocalPort();
  }

  private void run() {
    while (!closed) {
      try {
        take(server.accept());
      } catch (IOException e) {
        if (!closed) {
          log.accept("a client was not taken: error=\"" + e.getMessage() + '"');
        }
      }
    }
  }

  private void take(Socket socket) throws IOException {
    if (!admits.test(socket)) {
      log.accept(
          "a client was not taken, it is another user's: from=" + socket.getRemoteSocketAddress());
      socket.close();
      return;
    }
    if (clients.size() >= MAX_CLIENTS) {
      log.accept(
          "a client was not taken, there are too many: from=%s max=%d"
              .formatted(socket.getRemoteSocketAddress(), MAX_CLIENTS));
      socket.close();
      return;
    }
    LogClient client = new LogClient(socket, protocol, log, clients::remove);
    clients.add(client);
    client.start(recording, numbers);
  }

  /** Ends all connections. */
  @Override
  public void close() throws IOException {
    closed = true;
    server.close();
    try {
      thread.join();
      for (LogClient client : clients) {
        client.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
