package dev.kymo.kernel.daemon;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes connections, reads requests, and sends what is in the clients' queues. */
final class SocketThread {
  private static final long LOOK_MILLIS = 1000;
  private static final long NO_PROGRESS_NANOS = 10_000_000_000L;
  private static final long UNREGISTERED_NANOS = 10_000_000_000L;
  private static final int RESERVED_PART = 8;
  private static final long MOST_ANSWERS = 8L << 20;
  private static final long LINGER_NANOS = 2_000_000_000L;

  private final SocketFile socket;
  private final int most;
  private final Credentials credentials;
  private final Consumer<String> log;
  private final Set<Integer> ownThreads;
  private final Selector selector;
  private final Map<SocketChannel, Client> clients = new LinkedHashMap<>();
  private final Queue<Client> toCutOff = new ConcurrentLinkedQueue<>();
  private @Nullable Thread thread;
  private int numbers;
  private long looked = System.nanoTime();
  private volatile boolean ending;

  /** Not running yet. */
  SocketThread(SocketFile socket, DaemonOptions options, Set<Integer> ownThreads)
      throws IOException {
    this.socket = socket;
    this.most = options.clients();
    this.credentials = new Credentials(socket.folder());
    this.log = options.log();
    this.ownThreads = ownThreads;
    this.selector = Selector.open();
    socket.server().register(selector, SelectionKey.OP_ACCEPT);
  }

  void start(Requests requests) {
    thread = Thread.ofPlatform().name("kymo socket").daemon().start(() -> run(requests));
  }

  boolean isAlive() {
    return thread != null && thread.isAlive();
  }

  /** Clients have something to be sent; called by any thread. */
  void wake() {
    selector.wakeup();
  }

  /** Disconnects a client once its queue is sent; called by any thread. */
  void cutOff(Client client) {
    toCutOff.add(client);
    selector.wakeup();
  }

  Collection<Client> clients() {
    return clients.values();
  }

  private void run(Requests requests) {
    try {
      ownThreads.add(CaptureThread.ownTid());
      while (!ending) {
        selector.select(clients.isEmpty() ? 0 : LOOK_MILLIS);
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
          SelectionKey key = keys.next();
          keys.remove();
          if (key.isValid() && key.isAcceptable()) {
            accept();
          } else if (key.isValid() && key.isReadable()) {
            read((SocketChannel) key.channel(), requests);
          }
        }
        for (Client client = toCutOff.poll(); client != null; client = toCutOff.poll()) {
          client.letGo();
        }
        send(requests);
      }
    } catch (IOException | RuntimeException e) {
      log.accept("socket ends: " + e);
    } finally {
      close();
    }
  }

  private void accept() {
    try {
      SocketChannel channel = socket.server().accept();
      while (channel != null) {
        welcome(channel);
        channel = socket.server().accept();
      }
    } catch (IOException e) {
      log.accept("a client cannot be let in: " + e);
    }
  }

  private void welcome(SocketChannel channel) throws IOException {
    try {
      channel.configureBlocking(false);
      Client client = new Client(++numbers, channel, credentials.peer(channel));
      // However many users act together, root gets in.
      int room = client.uid == 0 ? most : most - most / RESERVED_PART;
      if (clients.size() >= room) {
        String reason =
            "the daemon is full: clients=%d; try again later, or start it with more --clients"
                .formatted(clients.size());
        channel.write(Frames.failed(Frames.HELLO, reason));
        channel.close();
        return;
      }
      long same = clients.values().stream().filter(other -> other.uid == client.uid).count();
      if (client.uid != 0 && same >= Math.max(1, most / 2)) {
        String reason =
            "too many connections of one user: uid=%d connections=%d".formatted(client.uid, same);
        channel.write(Frames.failed(Frames.HELLO, reason));
        channel.close();
        return;
      }
      channel.register(selector, SelectionKey.OP_READ);
      clients.put(channel, client);
    } catch (IOException e) {
      channel.close(); // gone already, or its user cannot be found out
    }
  }

  private void read(SocketChannel channel, Requests requests) {
    Client client = clients.get(channel);
    if (client == null || client.closing) {
      return;
    }
    try {
      int count = client.in.read(channel);
      ByteBuffer frame = client.in.next();
      while (frame != null && !client.closing) {
        if (client.out.answers() > MOST_ANSWERS) {
          throw new IOException("asks, and does not read the answers");
        }
        client.askedNanos = System.nanoTime();
        requests.handle(client, frame);
        frame = client.in.next();
      }
      if (count < 0) {
        remove(client, requests);
      }
    } catch (ProtocolException e) {
      client.out.answer(Frames.failed(0, String.valueOf(e.getMessage())));
      client.letGo();
    } catch (IOException e) {
      remove(client, requests);
    } catch (RuntimeException e) {
      log.accept(client + " is let go, its request failed: " + e);
      remove(client, requests);
    }
  }

  private void send(Requests requests) {
    boolean look = System.nanoTime() - looked > LOOK_MILLIS * 1_000_000;
    if (look) {
      looked = System.nanoTime();
    }
    List<Client> gone = new ArrayList<>();
    for (Client client : clients.values()) {
      try {
        client.out.send(client.channel);
        boolean more = !client.out.isEmpty();
        SelectionKey key = client.channel.keyFor(selector);
        int reading = client.closing ? 0 : SelectionKey.OP_READ;
        key.interestOps(reading | (more ? SelectionKey.OP_WRITE : 0));
        if ((client.closing && !more) || (look && isHopeless(client))) {
          gone.add(client);
        }
      } catch (IOException | RuntimeException e) {
        gone.add(client);
      }
    }
    gone.forEach(client -> remove(client, requests));
  }

  private boolean isHopeless(Client client) {
    long now = System.nanoTime();
    if (client.closing && now - client.closingNanos > LINGER_NANOS) {
      return true;
    }
    if (client.out.stuckFor(NO_PROGRESS_NANOS)) {
      log.accept(client + " is let go: it does not read, waiting_bytes=" + client.out.bytes());
      return true;
    }
    return client.registration == null && now - client.askedNanos > UNREGISTERED_NANOS;
  }

  private void remove(Client client, Requests requests) {
    if (clients.remove(client.channel) != null) {
      requests.gone(client);
    }
    closeQuietly(client.channel);
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      return; // nothing can be done about it
    }
  }

  private void close() {
    try {
      clients.keySet().forEach(SocketThread::closeQuietly);
      clients.clear();
      selector.close();
      socket.close();
    } catch (IOException e) {
      log.accept("socket cannot be removed: socket=%s: %s".formatted(socket.path(), e));
    }
  }

  /** Ends it: clients see the end of their connections, and the socket's file is gone. */
  void end() throws InterruptedException {
    ending = true;
    selector.wakeup();
    if (thread != null) {
      thread.join();
    }
  }
}
