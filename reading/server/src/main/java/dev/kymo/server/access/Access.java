package dev.kymo.server.access;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Who may send requests. Every user of the machine can connect to the port, so a browser must show
 * a secret: the link that is printed carries it, and the page that the link leads to makes it a
 * cookie. The cookie's name has the port in it, because browsers send cookies to all ports of a
 * host.
 */
public final class Access {
  static final String PARAMETER = "token";
  private static final String BEARER = "Bearer ";
  private static final int BYTES = 24;

  private final String cookie;
  private final String token = secret();
  private final String bearer = secret();

  /** Works once: it is on the browser's command line, which everybody can read. */
  private final AtomicReference<@Nullable String> once = new AtomicReference<>(secret());

  public Access(int port) {
    cookie = "kymo-" + port;
  }

  private static String secret() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The query of the link. */
  public String query() {
    return PARAMETER + '=' + token;
  }

  /** The query of a link that works once; the query of the lasting link if it was used. */
  public String queryOnce() {
    String unused = once.get();
    return unused == null ? query() : PARAMETER + '=' + unused;
  }

  /** Whether a request's link carries a secret, right or wrong. */
  static boolean asks(HttpExchange exchange) {
    return sent(exchange) != null;
  }

  /** Lets a browser in if its link carries the secret: what is answered sets the cookie. */
  boolean admits(HttpExchange exchange) {
    String sent = sent(exchange);
    if (sent == null || !(same(sent, token) || usesUp(sent))) {
      return false;
    }
    exchange
        .getResponseHeaders()
        .set("Set-Cookie", cookie + '=' + token + "; Path=/; HttpOnly; SameSite=Strict");
    return true;
  }

  private boolean usesUp(String sent) {
    String unused = once.get();
    return unused != null && same(sent, unused) && once.compareAndSet(unused, null);
  }

  private static @Nullable String sent(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    for (String part : query == null ? new String[0] : query.split("&")) {
      if (part.startsWith(PARAMETER + '=')) {
        return part.substring(PARAMETER.length() + 1);
      }
    }
    return null;
  }

  /** Whether a request comes from a browser that was let in. */
  boolean knows(Headers headers) {
    for (String line : headers.getOrDefault("Cookie", List.of())) {
      for (String each : line.split(";")) {
        String pair = each.strip();
        if (pair.startsWith(cookie + '=') && same(pair.substring(cookie.length() + 1), token)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The secret of programs that ask; they send it with each request. */
  public String bearer() {
    return bearer;
  }

  /** Whether a request comes from a program that has the secret, and not from a browser. */
  boolean bears(Headers headers) {
    List<String> sent = headers.getOrDefault("Authorization", List.of());
    return sent.size() == 1
        && sent.getFirst().startsWith(BEARER)
        && same(sent.getFirst().substring(BEARER.length()), bearer);
  }

  /** Takes the same time wherever the texts differ, so that no prefix can be guessed. */
  private static boolean same(String sent, String secret) {
    return MessageDigest.isEqual(
        sent.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }
}
