package dev.kymo.server.access;

import com.sun.net.httpserver.HttpExchange;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** What a browser sees before it gets access, or without it. */
final class LinkPage {
  /**
   * Goes to the page without the secret, which so stays out of the address bar. Not by a redirect:
   * the cookie would not be sent along when the link was on a page of another site.
   */
  private static final String SCRIPT = "location.replace(location.pathname + location.hash)";

  private static final String REFUSAL =
      "Only the user who started 'kymo view' sees this recording. Open the link that it has printed,"
          + " with ?token=: this browser then has access until 'kymo view' ends.";

  private LinkPage() {}

  /** Follows the link that was printed. */
  static void letIn(HttpExchange exchange) throws IOException {
    send(exchange, 200, "script-src 'sha256-" + digest() + "'", "<script>" + SCRIPT + "</script>");
  }

  /** Says what to do. */
  static void refuse(HttpExchange exchange, boolean page) throws IOException {
    if (page) {
      send(exchange, 403, "style-src 'none'", "<p>" + REFUSAL + "</p>");
    } else {
      Answers.error(exchange, 403, REFUSAL);
    }
  }

  private static void send(HttpExchange exchange, int status, String allowed, String body)
      throws IOException {
    exchange
        .getResponseHeaders()
        .set(
            "Content-Security-Policy",
            "default-src 'none'; base-uri 'none'; frame-ancestors 'self'; " + allowed);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    String page = "<!doctype html><meta charset=\"utf-8\"><title>Kymo</title>" + body;
    Answers.send(
        exchange, status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
  }

  private static String digest() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(SCRIPT.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }
}
