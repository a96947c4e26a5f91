package dev.kymo.network.listen;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections that have not said yet who they are. They are few, in all and from one address, and
 * are no senders: whoever has no token cannot keep those out who have one. When there are too many,
 * the oldest gives way: a sender is through in milliseconds. What is wrong with them is said for
 * the first ones of a minute, the others are counted.
 */
final class Strangers {
  static final int MOST = 256;
  static final int MOST_OF_AN_ADDRESS = 64;

  /** Lines about single ones in a minute. */
  static final int LINES = 10;

  private static final long MINUTE = 60;

  private final Consumer<String> log;
  private final Map<Incoming, InetAddress> connections = new LinkedHashMap<>();
  private int said;
  private long counted;
  private String last = "";

  Strangers(Consumer<String> log, ScheduledExecutorService clock) {
    this.log = log;
    var _ = clock.scheduleAtFixedRate(this::summarize, MINUTE, MINUTE, TimeUnit.SECONDS);
  }

  /** One more has come; others may have to go for it. */
  void came(Incoming connection, InetAddress from) {
    Incoming oldest = null;
    synchronized (this) {
      connections.put(connection, from);
      if (connections.values().stream().filter(from::equals).count() > MOST_OF_AN_ADDRESS) {
        oldest = removeOldest(from);
      } else if (connections.size() > MOST) {
        oldest = removeOldest(null);
      }
    }
    if (oldest != null) {
      oldest.hangUp();
    }
  }

  private Incoming removeOldest(@Nullable InetAddress of) {
    Incoming oldest =
        connections.entrySet().stream()
            .filter(entry -> of == null || entry.getValue().equals(of))
            .findFirst()
            .orElseThrow()
            .getKey();
    connections.remove(oldest);
    return oldest;
  }

  /** It has said who it is, or has ended. */
  synchronized void left(Incoming connection) {
    connections.remove(connection);
  }

  /** Says why one was closed, or counts it. */
  synchronized void closed(String from, String why) {
    last = "closed %s: %s".formatted(from, why);
    if (said < LINES) {
      said++;
      log.accept(last);
    } else {
      counted++;
    }
  }

  /** At the end of each minute, and of the receiver. */
  synchronized void summarize() {
    if (counted > 0) {
      log.accept(
          "closed %d more that did not say who they are; the last: %s".formatted(counted, last));
    }
    said = 0;
    counted = 0;
  }
}
