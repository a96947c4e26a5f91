import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * What talks under TLS: {@code serve} and {@code ask} with the JDK's server and client of HTTP, which
 * use its engine, in processes of their own; {@code sockets} two threads of one process, with
 * streams. Arguments: what, the file that the port is passed on in, the key store, a count, the
 * version of TLS.
 */
public class Encrypted {
  private static final char[] PASSWORD = "password".toCharArray();

  public static void main(String[] args) throws Exception {
    Path port = Path.of(args[1]);
    SSLContext context = context(Path.of(args[2]), args[4]);
    int count = Integer.parseInt(args[3]);
    switch (args[0]) {
      case "serve" -> serve(context, port, count);
      case "ask" -> ask(context, port, count);
      case "sockets" -> sockets(context, count);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static SSLContext context(Path file, String version) throws Exception {
    KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD);
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    SSLContext context = SSLContext.getInstance(version);
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private static void serve(SSLContext context, Path file, int count) throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpsServer server = HttpsServer.create(any, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    CountDownLatch left = new CountDownLatch(count);
    server.createContext("/", exchange -> {
      byte[] answer = ("answer to " + exchange.getRequestURI().getPath()).getBytes();
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
      left.countDown();
    });
    server.start();
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, Integer.toString(server.getAddress().getPort()));
    Files.move(whole, file);
    left.await();
    server.stop(1);
  }

  private static void ask(SSLContext context, Path file, int count) throws Exception {
    while (Files.notExists(file)) {
      Thread.sleep(10);
    }
    HttpClient client =
        HttpClient.newBuilder().sslContext(context).version(HttpClient.Version.HTTP_1_1).build();
    for (int i = 0; i < count; i++) {
      URI uri = URI.create("https://localhost:" + Files.readString(file) + "/item/" + i);
      String body =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
      if (!body.equals("answer to /item/" + i)) {
        throw new IllegalStateException(body);
      }
    }
  }

  /** One sends pieces of random sizes, the other reads in pieces of other sizes. */
  private static void sockets(SSLContext context, int count) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (SSLServerSocket server =
            (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, here);
        SSLSocket from =
            (SSLSocket) context.getSocketFactory().createSocket(here, server.getLocalPort());
        Socket to = server.accept()) {
      int[] sizes = new SplittableRandom(7).ints(count, 1, 40_000).toArray();
      sizes[0] = "GET /first?q HTTP/1.1\r\n\r\n".length();
      Thread reader = new Thread(() -> readAll(to, sizes), "reader");
      reader.start();
      byte at = 0;
      for (int size : sizes) {
        byte[] piece = new byte[size];
        for (int i = 0; i < size; i++) {
          piece[i] = at++;
        }
        put(from, at == sizes[0] ? "GET /first?q HTTP/1.1\r\n\r\n".getBytes() : piece);
      }
      reader.join();
    }
  }

  static void put(Socket socket, byte[] piece) throws IOException {
    socket.getOutputStream().write(piece, 0, piece.length);
  }

  static int get(Socket socket, byte[] piece, int most) throws IOException {
    InputStream in = socket.getInputStream();
    return in.read(piece, 0, most);
  }

  private static void readAll(Socket socket, int[] sizes) {
    try {
      int left = 0;
      for (int size : sizes) {
        left += size;
      }
      SplittableRandom random = new SplittableRandom(8);
      byte[] piece = new byte[30_000];
      for (int at = 0; left > 0; ) {
        int got = get(socket, piece, Math.min(left, random.nextInt(100, piece.length)));
        for (int i = 0; i < got; i++, at++) {
          if (at >= sizes[0] && piece[i] != (byte) at) {
            throw new IllegalStateException("changed at " + at);
          }
        }
        left -= got;
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
