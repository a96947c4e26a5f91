import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A server and a client that talk over TCP, in processes of their own: {@code serve} and {@code ask}
 * HTTP requests; {@code drain} and {@code fill} a connection with bytes, in pieces of random sizes.
 * The port is passed on in a file. Alone: {@code file} sends a file through a Unix socket, {@code
 * again} uses a connection while nobody records, and another one when told to.
 */
public class Talking {
  private static final int BYTES = 300_000;

  public static void main(String[] args) throws Exception {
    Path port = Path.of(args[1]);
    int count = Integer.parseInt(args[2]);
    switch (args[0]) {
      case "serve" -> serve(port, count);
      case "ask" -> ask(portIn(port), count);
      case "drain" -> drain(port, count);
      case "fill" -> fill(portIn(port), count);
      case "file" -> file(port, count);
      case "again" -> again(port, count);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void tell(Path file, int port) throws IOException {
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, Integer.toString(port));
    Files.move(whole, file);
  }

  private static int portIn(Path file) throws Exception {
    while (Files.notExists(file)) {
      Thread.sleep(10);
    }
    return Integer.parseInt(Files.readString(file));
  }

  private static void serve(Path file, int count) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Object done = new Object();
    int[] left = {count};
    server.createContext("/", exchange -> {
      byte[] answer = answer(exchange.getRequestURI().getPath());
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
      synchronized (done) {
        left[0]--;
        done.notifyAll();
      }
    });
    server.start();
    tell(file, server.getAddress().getPort());
    synchronized (done) {
      while (left[0] > 0) {
        done.wait();
      }
    }
    server.stop(1);
  }

  private static byte[] answer(String path) {
    return ("answer to " + path).getBytes();
  }

  private static void ask(int port, int count) throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int i = 0; i < count; i++) {
      request(client, port, i);
    }
  }

  private static void request(HttpClient client, int port, int i) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + "/item/" + i);
    String body = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    if (!body.equals("answer to /item/" + i)) {
      throw new IllegalStateException(body);
    }
  }

  /** Reads in pieces of random sizes, and answers one byte for all. */
  private static void drain(Path file, int seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      tell(file, server.getLocalPort());
      try (Socket socket = server.accept()) {
        byte[] piece = new byte[5000];
        for (int at = 0; at < BYTES; ) {
          at += get(socket.getInputStream(), piece, random.nextInt(1, piece.length), at);
        }
        put(socket.getOutputStream(), new byte[1]);
      }
    }
  }

  static int get(InputStream in, byte[] piece, int most, int at) throws IOException {
    int got = in.read(piece, 0, most);
    for (int i = 0; i < got; i++) {
      if (piece[i] != (byte) (at + i)) {
        throw new IllegalStateException("changed at " + (at + i));
      }
    }
    return got;
  }

  static void put(OutputStream out, byte[] piece) throws IOException {
    out.write(piece);
  }

  private static void fill(int port, int seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    int writes = 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      OutputStream out = socket.getOutputStream();
      for (int at = 0; at < BYTES; writes++) {
        byte[] piece = new byte[Math.min(BYTES - at, random.nextInt(1, 3000))];
        for (int i = 0; i < piece.length; i++) {
          piece[i] = (byte) (at + i);
        }
        put(out, piece);
        at += piece.length;
      }
      get(socket.getInputStream(), new byte[1], 1, 0);
    }
    System.out.println("writes=" + writes);
  }

  /** Sends a file and some bytes through a Unix socket, a number of times. */
  private static void file(Path path, int count) throws Exception {
    Path content = Files.write(path.resolveSibling("content"), new byte[1000]);
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      Thread reader = new Thread(() -> readAll(server, 1010 * count), "reader");
      reader.start();
      try (SocketChannel socket = SocketChannel.open(address);
          FileChannel file = FileChannel.open(content)) {
        for (int i = 0; i < count; i++) {
          long sent = file.transferTo(0, 1000, socket);
          int more = socket.write(ByteBuffer.allocateDirect(10));
          if (sent != 1000 || more != 10) {
            throw new IllegalStateException(sent + " " + more);
          }
        }
        reader.join();
      }
    }
  }

  private static void readAll(ServerSocketChannel server, int bytes) {
    try (SocketChannel socket = server.accept()) {
      ByteBuffer all = ByteBuffer.allocate(bytes);
      while (all.hasRemaining()) {
        socket.read(all);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Echoes over a connection; when told to, also over a new one. */
  private static void again(Path file, int count) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket old = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket oldServed = server.accept()) {
      echo(old, oldServed, count);
      System.out.println("ready");
      while (Files.notExists(file)) {
        echo(old, oldServed, 1);
        Thread.sleep(10);
      }
      try (Socket fresh = new Socket(server.getInetAddress(), server.getLocalPort());
          Socket freshServed = server.accept()) {
        echo(old, oldServed, count);
        echo(fresh, freshServed, count);
      }
    }
  }

  private static void echo(Socket one, Socket other, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      put(one.getOutputStream(), new byte[] {0, 1, 2});
      get(other.getInputStream(), new byte[3], 3, 0);
    }
  }
}
