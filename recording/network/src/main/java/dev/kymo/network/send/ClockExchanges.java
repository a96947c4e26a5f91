package dev.kymo.network.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Readings of two clocks, the recording's and the receiver's, that say how one runs to the other.
 * They are in the recording, in {@code .exchanges}:
 *
 * <pre>
 *   kymo clock exchanges 1
 *   clock IDENTITY         of the receiver's clock; recordings with the same one have a common axis
 *   T1 T2 T3 T4            asked, came, answered, came back: T1 and T4 in ticks of the recording's
 *                          clock, T2 and T3 in nanoseconds of the receiver's
 * </pre>
 *
 * <p>Many are made, and of each window of time the one with the shortest way is kept. Used by one
 * thread.
 */
final class ClockExchanges {
  private static final String NAME = ".exchanges";
  private static final String FIRST = "kymo clock exchanges 1";
  private static final int MOST = 1000;

  private final Path directory;
  private final List<Exchange> kept = new ArrayList<>();
  private String clock = "";
  private long window;
  private boolean changed;

  /**
   * One exchange.
   *
   * @param asked the recording's clock
   * @param came the receiver's
   * @param answered the receiver's
   * @param back the recording's
   */
  record Exchange(long asked, long came, long answered, long back) {
    long way() {
      return back - asked;
    }

    String line() {
      return "%d %d %d %d".formatted(asked, came, answered, back);
    }
  }

  /**
   * None yet.
   *
   * @param window ticks of the recording's clock of which one exchange is kept
   */
  ClockExchanges(Path directory, long window) throws IOException {
    this.directory = directory;
    this.window = window;
    Path before = directory.resolve(NAME);
    if (Files.exists(before)) {
      List<String> lines = Files.readAllLines(before);
      clock = lines.get(1).substring("clock ".length());
      for (String line : lines.subList(2, lines.size())) {
        String[] four = line.split(" ");
        kept.add(
            new Exchange(
                Long.parseLong(four[0]),
                Long.parseLong(four[1]),
                Long.parseLong(four[2]),
                Long.parseLong(four[3])));
      }
    }
  }

  /** With which clock from now on; readings of another one say nothing about this one. */
  void with(String identity) {
    if (!identity.equals(clock)) {
      clock = identity;
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
    if (!changed) {
      return;
    }
    changed = false;
    StringBuilder lines = new StringBuilder(FIRST + "\nclock " + clock + "\n");
    kept.forEach(exchange -> lines.append(exchange.line()).append('\n'));
    WholeFile.write(directory.resolve(NAME), lines);
  }
}
