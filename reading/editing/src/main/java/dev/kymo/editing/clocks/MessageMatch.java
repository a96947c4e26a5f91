package dev.kymo.editing.clocks;

import dev.kymo.editing.clocks.SentMessages.End;
import dev.kymo.model.arrows.StreamParts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The difference of two recordings' clocks, found by messages that programs sent from one to the
 * other: each was received after it was sent. Messages in one direction say how large the
 * difference is at least, those in the other how large it is at most.
 */
public final class MessageMatch {
  private MessageMatch() {}

  /** The second clock's line to the first; empty unless there are messages in both directions. */
  public static Optional<ClockLine> find(SentMessages first, SentMessages second) {
    return bounds(first, second).solve(second.begin(), second.end());
  }

  /** What they say of the second clock's line to the first. */
  static ClockBounds bounds(SentMessages first, SentMessages second) {
    ClockBounds bounds = new ClockBounds(second.begin());
    for (Map.Entry<SentMessages.Key, SentMessages.Times> each : first.all().entrySet()) {
      SentMessages.Times other = second.all().get(each.getKey());
      if (other != null) {
        add(bounds, each.getValue(), other);
      }
    }
    return bounds;
  }

  /** Messages with one key. */
  private static void add(ClockBounds bounds, SentMessages.Times first, SentMessages.Times second) {
    boolean whole =
        first.sent().size() == second.received().size()
            && first.received().size() == second.sent().size();
    add(
        first.sent(),
        second.received(),
        whole,
        (sent, received) -> bounds.atLeast(received, sent - received));
    add(
        second.sent(),
        first.received(),
        whole,
        (sent, received) -> bounds.atMost(sent, received - sent));
  }

  /** Takes when a message was sent and received. */
  private interface Taker {
    void take(long sent, long received);
  }

  /**
   * Parts of a stream belong together by their bytes; other messages by their order, if none is
   * missing.
   */
  private static void add(List<End> sent, List<End> received, boolean whole, Taker taker) {
    boolean parts = !sent.isEmpty() && !received.isEmpty() && sent.getFirst().isPart();
    if (parts && received.getFirst().isPart()) {
      for (StreamParts.Pair pair : parts(sent).pairs(parts(received))) {
        taker.take(sent.get(pair.written()).time(), received.get(pair.read()).time());
      }
    } else if (whole) {
      for (int i = 0; i < sent.size(); i++) {
        taker.take(sent.get(i).time(), received.get(i).time());
      }
    }
  }

  private static StreamParts parts(List<End> ends) {
    StreamParts parts = new StreamParts();
    for (int i = 0; i < ends.size(); i++) {
      parts.add(ends.get(i).position(), ends.get(i).bytes(), i);
    }
    return parts;
  }
}
