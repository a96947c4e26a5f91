package dev.kymo.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Readings of two clocks, a recording's and its receiver's, that say how one runs to the other. A
 * recording that was sent has them in the file {@link #FILE}:
 *
 * <pre>
 *   kymo clock exchanges 2
 *   receiver IDENTITY      of the receiver's clock; recordings with the same one have a common axis
 *   sender IDENTITY        of the machine since its boot whose clock the recording has
 *   T1 T2 T3 T4            asked, came, answered, came back: T1 and T4 in ticks of the recording's
 *                          clock, T2 and T3 in nanoseconds of the receiver's
 * </pre>
 *
 * @param receiver identity of the receiver's clock
 * @param sender identity of the machine, since its boot, that was recorded
 * @param all in the order of time
 */
public record ClockExchanges(String receiver, String sender, List<Exchange> all) {
  /** The file's name in the recording's directory. */
  public static final String FILE = ".exchanges";

  private static final String FIRST = "kymo clock exchanges 2";
  private static final String RECEIVER = "receiver ";
  private static final String SENDER = "sender ";

  /**
   * One exchange.
   *
   * @param asked the recording's clock
   * @param came the receiver's
   * @param answered the receiver's
   * @param back the recording's
   */
  public record Exchange(long asked, long came, long answered, long back) {
    /** Ticks that it took. */
    public long way() {
      return back - asked;
    }
  }

  public String text() {
    StringBuilder text = new StringBuilder(FIRST).append('\n');
    text.append(RECEIVER).append(receiver).append('\n').append(SENDER).append(sender).append('\n');
    for (Exchange one : all) {
      text.append(one.asked).append(' ').append(one.came).append(' ');
      text.append(one.answered).append(' ').append(one.back).append('\n');
    }
    return text.toString();
  }

  /** What a file says; empty if it is of another version, or damaged. */
  public static Optional<ClockExchanges> parse(List<String> lines) {
    boolean known =
        lines.size() >= 3
            && lines.get(0).equals(FIRST)
            && lines.get(1).startsWith(RECEIVER)
            && lines.get(2).startsWith(SENDER);
    if (!known) {
      return Optional.empty();
    }
    List<Exchange> all = new ArrayList<>();
    for (String line : lines.subList(3, lines.size())) {
      Optional<Exchange> exchange = exchange(line.split(" "));
      if (exchange.isEmpty()) {
        return Optional.empty();
      }
      all.add(exchange.get());
    }
    return Optional.of(
        new ClockExchanges(
            lines.get(1).substring(RECEIVER.length()),
            lines.get(2).substring(SENDER.length()),
            all));
  }

  private static Optional<Exchange> exchange(String[] four) {
    if (four.length != 4) {
      return Optional.empty();
    }
    try {
      Exchange one =
          new Exchange(
              Long.parseLong(four[0]),
              Long.parseLong(four[1]),
              Long.parseLong(four[2]),
              Long.parseLong(four[3]));
      boolean forward = one.asked >= 0 && one.came >= 0;
      return forward && one.back >= one.asked && one.answered >= one.came
          ? Optional.of(one)
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
