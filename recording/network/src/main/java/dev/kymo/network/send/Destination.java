package dev.kymo.network.send;

import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.ReceiverLine;
import dev.kymo.network.wire.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A place to send to, and how it is known: a receiver that the user trusts by its line, or one of
 * the user's own on this machine.
 *
 * @param host of the receiver
 * @param port where it listens
 * @param token that it wants to see
 * @param fingerprint of its certificate; null = not encrypted
 */
public record Destination(String host, int port, String token, @Nullable String fingerprint)
    implements Route {
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9A-Fa-f:.%]+\\]|[^\\[\\]:/\\s]+):(\\d{1,5})");
  private static final int CONNECT_MILLIS = 5_000;
  private static final int SILENCE_MILLIS = 60_000;
  private static final int BUFFER = 1 << 20;

  /**
   * Finds what is known of a receiver.
   *
   * @param address {@code HOST:PORT}
   * @param trusted directory of lines
   * @param own directory of the user's own receiver
   * @param plain whether to send without encryption, wherever it is
   * @throws IOException with what to do, if nothing is known of it
   */
  public static Destination of(String address, Path trusted, Path own, boolean plain)
      throws IOException {
    Matcher matcher = ADDRESS.matcher(address);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 0xffff) {
      throw new IOException("not an address: to=%s; give HOST:PORT".formatted(address));
    }
    String host = matcher.group(1);
    int port = Integer.parseInt(matcher.group(2));
    Path known = trusted.resolve(address);
    if (Files.exists(known)) {
      ReceiverLine line = ReceiverLine.of(Secret.read(known));
      if (line == null) {
        throw new IOException(
            "not a receiver's line: file=" + known + "; remove it and say kymo trust again");
      }
      return new Destination(host, port, line.token(), plain ? null : line.fingerprint());
    }
    Path token = own.resolve("token");
    if (isLoopback(host) && Files.exists(token)) {
      return new Destination(
          host, port, Secret.read(token).strip(), plain ? null : fingerprint(own, address));
    }
    throw new IOException(
        "nothing is known of this receiver: to=%s; kymo listen prints a line, give that to kymo trust here"
            .formatted(address));
  }

  /** Of the user's own receiver: anybody can listen at a port of this machine. */
  private static String fingerprint(Path own, String address) throws IOException {
    Path file = own.resolve("fingerprint");
    if (!Files.exists(file)) {
      throw new IOException(
          "your own receiver has not said what certificate it has: to=%s; start kymo listen anew"
              .formatted(address));
    }
    return Secret.read(file).strip();
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false; // the attempt to connect reports it
    }
  }

  public static void trust(ReceiverLine line, Path trusted) throws IOException {
    Secret.write(trusted.resolve(line.address()), line + "\n");
  }

  /** {@code HOST:PORT}. */
  @Override
  public String address() {
    return host + ":" + port;
  }

  @Override
  public Link open(Hello hello, LongSupplier clock) throws IOException {
    return Connection.open(this, hello, clock);
  }

  /** Connects; the receiver has proved who it is, unless nothing is to be encrypted. */
  Socket connect() throws IOException {
    Socket socket = new Socket();
    try {
      socket.setSendBufferSize(BUFFER);
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(SILENCE_MILLIS);
      return fingerprint == null ? socket : secured(socket, fingerprint);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket secured(Socket socket, String fingerprint) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(null, new TrustManager[] {new Pinned(fingerprint)}, null);
      SSLSocket secure =
          (SSLSocket)
              context
                  .getSocketFactory()
                  .createSocket(
                      socket, socket.getInetAddress().getHostName(), socket.getPort(), true);
      secure.setEnabledProtocols(new String[] {"TLSv1.3"});
      secure.startHandshake();
      return secure;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot encrypt: " + e.getMessage(), e);
    }
  }

  /** Trusts one certificate, whoever signed it. */
  private record Pinned(String fingerprint) implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("only receivers have certificates");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      String given = Secret.fingerprint(chain[0]);
      if (!Secret.same(given, fingerprint)) {
        throw new CertificateException(
            "it is not the receiver that was trusted: expected=%s given=%s"
                .formatted(fingerprint, given));
      }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
