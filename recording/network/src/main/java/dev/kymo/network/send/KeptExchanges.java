package dev.kymo.network.send;

import dev.kymo.format.ClockExchanges;
import dev.kymo.format.ClockExchanges.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The exchanges with the receiver that a recording keeps: many are made, and of each window of time
 * the one with the shortest way is kept. Used by one thread.
 */
final class KeptExchanges {
  private static final int MOST = 1000;

  private final Path file;
  private final String sender;
  private final List<Exchange> kept = new ArrayList<>();
  private String receiver = "";
  private long window;
  private boolean changed;

  /**
   * Those that the recording has already.
   *
   * @param sender identity of the machine since its boot
   * @param window ticks of the recording's clock of which one exchange is kept
   */
  KeptExchanges(Path directory, String sender, long window) throws IOException {
    this.file = directory.resolve(ClockExchanges.FILE);
    this.sender = sender;
    this.window = window;
    if (Files.exists(file)) {
      ClockExchanges.parse(Files.readAllLines(file))
          .filter(before -> before.sender().equals(sender))
          .ifPresent(before -> {
            receiver = before.receiver();
            kept.addAll(before.all());
          });
    }
  }

  /** With which clock from now on; readings of another one say nothing about this one. */
  void with(String identity) {
    if (!identity.equals(receiver)) {
      receiver = identity;
      kept.clear();
      changed = true;
    }
  }

  void add(Exchange exchange) {
    Exchange last = kept.isEmpty() ? null : kept.getLast();
    if (last != null && exchange.asked() / window == last.asked() / window) {
      if (exchange.way() >= last.way()) {
        return;
      }
      kept.removeLast();
    }
    kept.add(exchange);
    changed = true;
    if (kept.size() > MOST) {
      thin();
    }
  }

  private void thin() {
    window *= 2;
    List<Exchange> all = List.copyOf(kept);
    kept.clear();
    all.forEach(this::add);
  }

  /** Writes what is new, for the recording's readers. */
  void write() throws IOException {
    if (changed) {
      changed = false;
      WholeFile.write(file, new ClockExchanges(receiver, sender, kept).text());
    }
  }
}
