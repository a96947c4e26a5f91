import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Two threads that send each other texts over TCP: whole requests and answers of HTTP, and what only
 * looks so. Each text is written and read by one call.
 */
public class Spoken {
  private static final String[][] TEXTS = {
    {"GET /first HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
    {"POST /käse?secret=1 HTTP/1.1\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"},
    {"GET /a part of the body HTTP", "HTTP/1.1 404 Not Found\r\n\r\n"},
    {"DELETE http://user:word@host:80/gone#x HTTP/1.1\r\n\r\n", "HTTP/1.0 500 \r\n\r\n"},
    {"GET key\r\n", "HTTP/1.1 2x0"},
    {"PUT", "HTTP/2 200 OK, says nobody"},
    {"GET /\u0001 HTTP/1.1\r\n\r\n", "HTTP"},
    {"GET /long?" + "q".repeat(3000) + " HTTP/1.1\r\n\r\n", "HTTP/1.1 204 None\r\n\r\n"},
    {"HEAD /" + "p".repeat(3000), "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\n\r\n"},
    {"GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"},
    {"OPTIONS * HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"},
  };

  public static void main(String[] args) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket asking = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket answering = server.accept()) {
      Thread answers = new Thread(() -> answer(answering), "answering");
      answers.start();
      for (String[] texts : TEXTS) {
        say(asking, texts[0]);
        hear(asking, texts[1]);
      }
      answers.join();
    }
  }

  private static void answer(Socket socket) {
    try {
      for (String[] texts : TEXTS) {
        hear(socket, texts[0]);
        say(socket, texts[1]);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  static void hear(Socket socket, String text) throws IOException {
    byte[] expected = text.getBytes(StandardCharsets.UTF_8);
    byte[] heard = new byte[expected.length];
    InputStream in = socket.getInputStream();
    int got = in.readNBytes(heard, 0, heard.length);
    if (got != heard.length || !Arrays.equals(heard, expected)) {
      throw new IllegalStateException("changed: " + new String(heard, StandardCharsets.UTF_8));
    }
  }
}
