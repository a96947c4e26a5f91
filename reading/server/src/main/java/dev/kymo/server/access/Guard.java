package dev.kymo.server.access;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets through only what a page of this server can have sent. Loopback alone is not enough: any web
 * page may send requests to it (foreign Origin), a foreign name may be made to resolve to 127.0.0.1
 * (foreign Host), which would make a foreign page read the answers, and every user of the machine
 * can connect and send what a page would ({@link Access}, {@link PeerUser}).
 */
public final class Guard extends Filter {
  private final Set<String> hosts;
  private final Set<String> origins;

  private final Access access;
  private final boolean programs;
  private final PeerUser peers;

  /**
   * Guards a server.
   *
   * @param programs whether programs may ask, which send their secret with each request
   */
  public Guard(int port, Access access, PeerUser peers, boolean programs) {
    this.programs = programs;
    this.access = access;
    this.peers = peers;
    hosts = Set.of("127.0.0.1:" + port, "localhost:" + port);
    origins = Set.of("http://127.0.0.1:" + port, "http://localhost:" + port);
  }

  @Override
  public String description() {
    return "only GET and bookmarks, and only from this server's own pages and its user";
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    if (!onlyOneOf(hosts, headers.get("Host"))) {
      Answers.error(exchange, 403, "This host name is not served here; use 127.0.0.1.");
    } else if (headers.containsKey("Origin") && !onlyOneOf(origins, headers.get("Origin"))) {
      Answers.error(exchange, 403, "Pages of other origins are not answered.");
    } else if (!peers.mayAsk(
        exchange.getRemoteAddress(),
        exchange.getLocalAddress(),
        exchange.getRequestMethod().equals("PUT"))) {
      Answers.error(exchange, 403, "Other users of this machine are not answered.");
    } else if (programs && access.bears(headers)) {
      filterProgram(exchange, chain);
    } else if (isLink(exchange) && access.admits(exchange)) {
      LinkPage.letIn(exchange);
    } else if (!access.knows(headers)) {
      LinkPage.refuse(exchange, isPage(exchange));
    } else if (exchange.getRequestMethod().equals("PUT") && mayBePut(exchange)) {
      filterPut(exchange, chain);
    } else if (!exchange.getRequestMethod().equals("GET")) {
      exchange.getResponseHeaders().set("Allow", "GET");
      Answers.error(exchange, 405, "Only GET is answered.");
    } else {
      chain.doFilter(exchange);
    }
  }

  /** Browsers cannot send such a request to another origin without asking first. */
  private static void filterProgram(HttpExchange exchange, Chain chain) throws IOException {
    String context = exchange.getHttpContext().getPath();
    boolean asks = exchange.getRequestURI().getPath().equals(context + "query");
    if (exchange.getRequestMethod().equals("GET")
        || (asks && exchange.getRequestMethod().equals("POST"))) {
      chain.doFilter(exchange);
    } else {
      exchange.getResponseHeaders().set("Allow", asks ? "GET, POST" : "GET");
      Answers.error(exchange, 405, "Only GET is answered, and POST of a question.");
    }
  }

  /** Whether somebody follows the link that was printed, to a page. */
  private static boolean isLink(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("GET") && isPage(exchange) && Access.asks(exchange);
  }

  private static boolean isPage(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    return path.equals(exchange.getHttpContext().getPath()) && !path.endsWith("/api/");
  }

  /** Bookmarks are the only thing a page may change. */
  private static boolean mayBePut(HttpExchange exchange) {
    String context = exchange.getHttpContext().getPath();
    return context.endsWith("/api/")
        && exchange.getRequestURI().getPath().equals(context + "bookmarks");
  }

  /**
   * A page of another origin can send some requests without asking first, but none with this type,
   * and none without saying where it comes from.
   */
  private static void filterPut(HttpExchange exchange, Chain chain) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    if (!headers.containsKey("Origin")) {
      Answers.error(exchange, 403, "Only this server's own pages may change bookmarks.");
    } else if (!onlyOneOf(Set.of("application/json"), headers.get("Content-Type"))) {
      Answers.error(exchange, 415, "Bookmarks must be sent with Content-Type: application/json.");
    } else {
      chain.doFilter(exchange);
    }
  }

  private static boolean onlyOneOf(Set<String> allowed, @Nullable List<String> sent) {
    return sent != null && sent.size() == 1 && allowed.contains(sent.getFirst());
  }
}
