package dev.kymo.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bad network on this machine: passes bytes on in pieces and late, and cuts connections after a
 * random number of bytes, wherever that is in a frame.
 */
final class CuttingProxy implements AutoCloseable {
  private static final int LONGEST = 400_000;

  private final ServerSocket server;
  private final Random random;
  private final AtomicInteger cutsLeft;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile InetSocketAddress to;

  CuttingProxy(InetSocketAddress to, long seed, int cuts) throws IOException {
    this.to = to;
    this.random = new Random(seed);
    this.cutsLeft = new AtomicInteger(cuts);
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Cuts that it was to make and has not made. */
  int cutsLeft() {
    return cutsLeft.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket from = server.accept();
        open.add(from);
        threads.execute(() -> connect(from));
      } catch (IOException e) {
        // It was closed.
      }
    }
  }

  private void connect(Socket from) {
    try {
      Socket onward = new Socket(to.getAddress(), to.getPort());
      open.add(onward);
      int cutAt = random.nextInt(LONGEST);
      threads.execute(() -> pass(from, onward, cutAt));
      pass(onward, from, Integer.MAX_VALUE);
    } catch (IOException e) {
      close(from);
    }
  }

  private void pass(Socket from, Socket onward, int cutAt) {
    byte[] piece = new byte[1 + random.nextInt(30_000)];
    try (from;
        onward) {
      InputStream in = from.getInputStream();
      OutputStream out = onward.getOutputStream();
      long passed = 0;
      for (int got = in.read(piece); got > 0; got = in.read(piece)) {
        boolean cut = passed + got > cutAt && cutsLeft.getAndDecrement() > 0;
        int most = cut ? (int) (cutAt - passed) : got;
        out.write(piece, 0, most);
        passed += got;
        if (cut) {
          return;
        }
        if (random.nextInt(10) == 0) {
          Thread.sleep(random.nextInt(5));
        }
      }
    } catch (IOException e) {
      // The other side has closed it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    open.forEach(CuttingProxy::close);
    threads.close();
  }
}
