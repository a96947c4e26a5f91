package dev.kymo.importers.barrelfish;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address at which a bfscope listens, {@code tcp://host:port}.
 *
 * @param protocol 1: sends a dump when asked to, 2: sends each dump by itself
 */
public record BfscopeAddress(String host, int port, int protocol) {
  public static final String SCHEME = "tcp://";

  /** The port on which the first protocol is spoken unless the address says otherwise. */
  private static final int FIRST_PORT = 666;

  private static final int SECOND_PORT = 6666;

  private static final Pattern FORM =
      Pattern.compile("tcp://(\\[[^]]+]|[^:/?\\[\\]]+)(?::(\\d{1,5}))?/?(?:\\?protocol=([12]))?");

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if it is not valid; the message shows the form of an address
   */
  public static BfscopeAddress parse(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches()) {
      throw unlike(text);
    }
    int port = m.group(2) == null ? SECOND_PORT : Integer.parseInt(m.group(2));
    if (port < 1 || port > 65535) {
      throw unlike(text);
    }
    int usual = port == FIRST_PORT ? 1 : 2;
    int protocol = m.group(3) == null ? usual : Integer.parseInt(m.group(3));
    return new BfscopeAddress(m.group(1).replaceAll("[\\[\\]]", ""), port, protocol);
  }

  private static IllegalArgumentException unlike(String text) {
    return new IllegalArgumentException(
        "not an address of a bfscope: address="
            + text
            + "; expected tcp://HOST:PORT[?protocol=1|2]");
  }

  public String name() {
    return host + "-" + port;
  }
}
