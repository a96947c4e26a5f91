package dev.kymo.network.wire;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a receiver that a sender must know, as one line to paste: {@code
 * kymo://HOST:PORT/FINGERPRINT/TOKEN}.
 *
 * @param host name or number of its machine
 * @param port where it listens
 * @param fingerprint SHA-256 of its certificate
 * @param token proves that somebody may send to it
 */
public record ReceiverLine(String host, int port, String fingerprint, String token) {
  private static final Pattern LINE =
      Pattern.compile(
          "kymo://(\\[[0-9A-Fa-f:.%]+\\]|[^/:\\s]+):(\\d{1,5})/([\\w-]{43})/([\\w-]{32})");

  /** Reads it; null if the text is none. */
  public static @Nullable ReceiverLine of(String text) {
    Matcher matcher = LINE.matcher(text.strip());
    return matcher.matches()
        ? new ReceiverLine(
            matcher.group(1),
            Integer.parseInt(matcher.group(2)),
            matcher.group(3),
            matcher.group(4))
        : null;
  }

  /** {@code HOST:PORT}, as {@code --to} takes it. */
  public String address() {
    return host + ":" + port;
  }

  @Override
  public String toString() {
    return "kymo://%s/%s/%s".formatted(address(), fingerprint, token);
  }
}
