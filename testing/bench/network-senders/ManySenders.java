import dev.kymo.network.wire.FrameReader;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Many senders at once, as cheap as can be: each is a connection that sends a kilobyte and asks for
 * the clock once a second, until a line comes in. Arguments: host, port, token, number, tls or plain.
 */
public final class ManySenders {
  private static final byte[] KILOBYTE = new byte[1024];

  /** Whom it talks to does not matter here. */
  private static final TrustManager ANYBODY =
      new X509TrustManager() {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
          return new X509Certificate[0];
        }
      };

  private static final Semaphore TURN = new Semaphore(16);

  private static volatile boolean ends;

  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[3]);
    SSLContext tls = SSLContext.getInstance("TLSv1.3");
    tls.init(null, new TrustManager[] {ANYBODY}, null);
    CountDownLatch connected = new CountDownLatch(count);
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      TURN.acquire(); // a receiver gives each 10 s to say who it is
      Socket socket =
          args[4].equals("tls")
              ? tls.getSocketFactory().createSocket(args[0], Integer.parseInt(args[1]))
              : new Socket(args[0], Integer.parseInt(args[1]));
      Hello hello = new Hello(args[2], UUID.randomUUID(), "", "many-" + i);
      senders.add(Thread.startVirtualThread(() -> run(socket, hello, connected)));
    }
    connected.await();
    System.out.println("connected");
    System.in.read();
    ends = true;
    for (Thread sender : senders) {
      sender.join();
    }
  }

  private static void run(Socket socket, Hello hello, CountDownLatch connected) {
    try (socket) {
      FrameWriter out = new FrameWriter(new BufferedOutputStream(socket.getOutputStream()));
      FrameReader in = new FrameReader(socket.getInputStream());
      hello.write(out);
      if (in.next(1 << 12) != FrameType.WELCOME) {
        throw new IOException("not welcome: " + in.text());
      }
      connected.countDown();
      TURN.release();
      out.begin(FrameType.FILE).u32(1).text("p1-ring-1").end();
      for (long offset = 0; !ends; offset += KILOBYTE.length) {
        out.begin(FrameType.WRITE).u32(1).u64(offset).end(KILOBYTE, KILOBYTE.length);
        out.begin(FrameType.CLOCK).u64(System.nanoTime()).end();
        out.flush();
        in.next(1 << 12);
        Thread.sleep(1000);
      }
      out.begin(FrameType.DONE).end();
      out.flush();
      while (in.next(1 << 12) != FrameType.DONE) {
        // acknowledgements
      }
    } catch (IOException | InterruptedException e) {
      System.err.println(hello.name() + ": " + e);
    }
  }
}
