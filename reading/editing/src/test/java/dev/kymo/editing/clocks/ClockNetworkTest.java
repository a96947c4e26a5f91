package dev.kymo.editing.clocks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.ClockExchanges;
import dev.kymo.format.ClockExchanges.Exchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Clocks are related by what both were compared with. Times are nanoseconds. */
class ClockNetworkTest {
  private static final long BEGIN = 1_700_000_000_000_000_000L;
  private static final long LENGTH = 20_000_000_000L;
  private static final long HOUR = 3_600_000_000_000L;
  private static final String RECEIVER = "the receiver's boot";

  private final Map<String, SentMessages> messages = new HashMap<>();

  /** A clock that is wrong: what it counts at a true time. */
  private record Wrong(String machine, long offset, double rate, long frequency) {
    long ticks(long time) {
      return clock().ticks(shown(time) - clock().wallOffset());
    }

    long shown(long time) {
      return time + offset + Math.round((time - BEGIN) * rate);
    }

    Clock clock() {
      return new Clock(Clock.TSC, frequency, BEGIN - 1_000_000_000_000L + offset);
    }

    static Wrong random(SplittableRandom random, String machine) {
      return new Wrong(
          machine,
          random.nextLong(-HOUR, HOUR),
          random.nextDouble(-200e-6, 200e-6),
          2_000_000_000L + random.nextLong(1_000_000_000));
    }
  }

  private static long delay(SplittableRandom random) {
    return 30_000 + (long) (-Math.log(1 - random.nextDouble()) * 200_000);
  }

  /** Exchanges with a receiver whose clock is the true time since its boot. */
  private static ClockExchanges exchanges(Wrong clock, SplittableRandom random, List<Long> trips) {
    List<Exchange> all = new ArrayList<>();
    long boot = BEGIN - 77_000_000_000_000L;
    int count = 20 + random.nextInt(100);
    for (int i = 0; i < count; i++) {
      long asked = BEGIN + LENGTH / count * i;
      long came = asked + delay(random);
      long answered = came + 5_000;
      long back = answered + delay(random);
      trips.add(back - asked);
      all.add(new Exchange(clock.ticks(asked), came - boot, answered - boot, clock.ticks(back)));
    }
    return new ClockExchanges(RECEIVER, clock.machine, all);
  }

  private ComparedClock clock(Wrong clock, Optional<ClockExchanges> exchanges) {
    return new ComparedClock(
        UUID.nameUUIDFromBytes(clock.machine.getBytes(UTF_8)),
        clock.clock(),
        clock.shown(BEGIN),
        clock.shown(BEGIN + LENGTH),
        exchanges,
        Optional.empty(),
        Optional.ofNullable(messages.get(clock.machine)));
  }

  private static void assertCovers(ClockLine line, Wrong clock, Wrong first) {
    for (long time = BEGIN; time <= BEGIN + LENGTH; time += LENGTH / 8) {
      long shown = clock.shown(time);
      assertThat(Math.abs(shown + line.drift().at(shown) - first.shown(time)))
          .isLessThanOrEqualTo(line.error());
    }
  }

  private static long middle(List<Long> all) {
    return all.stream().mapToLong(Long::longValue).sorted().toArray()[all.size() / 2];
  }

  @RepeatedTest(200)
  void theErrorCoversTheTruth(RepetitionInfo repetition) {
    SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
    Wrong a = Wrong.random(random, "a");
    Wrong b = Wrong.random(random, "b");
    List<Long> tripsOfA = new ArrayList<>();
    List<Long> tripsOfB = new ArrayList<>();
    ClockNetwork network =
        new ClockNetwork(
            List.of(
                clock(a, Optional.of(exchanges(a, random, tripsOfA))),
                clock(b, Optional.of(exchanges(b, random, tripsOfB)))));
    ClockNetwork.Relation relation = network.relation(1).orElseThrow();
    assertCovers(relation.line(), b, a);
    assertThat(relation.line().error()).isLessThan((middle(tripsOfA) + middle(tripsOfB)) / 2);
    assertThat(relation.line().slack()).isZero();
    assertThat(relation.how())
        .isEqualTo(
            "by %d exchanges with the receiver".formatted(tripsOfA.size() + tripsOfB.size()));
    assertThat(relation.sameCounter()).isFalse();
    assertThat(relation.line().drift().moment()).isEqualTo(b.shown(BEGIN));
  }

  /** The other recording was over before the first one began: its line reaches further. */
  @Test
  void theErrorGrowsWithTheDistance() {
    SplittableRandom random = new SplittableRandom(7);
    Wrong a = new Wrong("a", 5, 100e-6, 1_000_000_000);
    Wrong b = new Wrong("b", HOUR, -100e-6, 1_000_000_000);
    ComparedClock late = clock(b, Optional.of(exchanges(b, random, new ArrayList<>())));
    ClockExchanges early = exchanges(a, random, new ArrayList<>());
    ComparedClock first = clock(a, Optional.of(early));
    ComparedClock longer =
        new ComparedClock(
            late.recording(),
            late.clock(),
            late.begin(),
            b.shown(BEGIN + 10 * LENGTH),
            late.exchanges(),
            late.aligned(),
            late.messages());
    ClockLine near = new ClockNetwork(List.of(first, late)).relation(1).orElseThrow().line();
    ClockLine far = new ClockNetwork(List.of(first, longer)).relation(1).orElseThrow().line();
    assertThat(far.error()).isGreaterThan(2 * near.error());
    long time = BEGIN + 10 * LENGTH;
    assertThat(Math.abs(b.shown(time) + far.drift().at(b.shown(time)) - a.shown(time)))
        .isLessThanOrEqualTo(far.error());
  }

  private void talk(Wrong one, Wrong other, SplittableRandom random) {
    Map<SentMessages.Key, SentMessages.Times> ofOne = all(one);
    Map<SentMessages.Key, SentMessages.Times> ofOther = all(other);
    for (int i = 0; i < 200; i++) {
      long sent = BEGIN + LENGTH / 200 * i;
      long received = sent + delay(random);
      long answered = received + 50_000;
      long back = answered + delay(random);
      SentMessages.Key key = new SentMessages.Key(one.machine + other.machine, i);
      ofOne.put(key, times(one.shown(sent), one.shown(back)));
      ofOther.put(key, times(other.shown(answered), other.shown(received)));
    }
  }

  private static SentMessages.Times times(long sent, long received) {
    return new SentMessages.Times(
        List.of(SentMessages.End.whole(sent)), List.of(SentMessages.End.whole(received)));
  }

  private Map<SentMessages.Key, SentMessages.Times> all(Wrong clock) {
    return messages
        .computeIfAbsent(
            clock.machine,
            any ->
                new SentMessages(new HashMap<>(), clock.shown(BEGIN), clock.shown(BEGIN + LENGTH)))
        .all();
  }

  /** The third one has talked to the second one only. */
  @Test
  void messagesLeadFromClockToClock() {
    SplittableRandom random = new SplittableRandom(11);
    Wrong a = Wrong.random(random, "a");
    Wrong b = Wrong.random(random, "b");
    Wrong c = Wrong.random(random, "c");
    Wrong d = Wrong.random(random, "d");
    talk(a, b, random);
    talk(b, c, random);
    all(d);
    ClockNetwork network =
        new ClockNetwork(
            List.of(
                clock(a, Optional.empty()),
                clock(b, Optional.empty()),
                clock(c, Optional.empty()),
                clock(d, Optional.empty())));
    assertCovers(network.relation(1).orElseThrow().line(), b, a);
    assertCovers(network.relation(2).orElseThrow().line(), c, a);
    assertThat(network.relation(2).orElseThrow().how()).isEqualTo("by 800 messages");
    assertThat(network.relation(3)).isEmpty();
  }

  /** Two processes of one machine are exact to each other, however far the receiver is away. */
  @Test
  void recordingsOfOneCounterShareWhatIsKnown() {
    SplittableRandom random = new SplittableRandom(5);
    Wrong a = new Wrong("one", 0, 0, 2_000_000_000);
    Wrong b = new Wrong("two", 40_000_000, 50e-6, 2_000_000_000);
    ClockExchanges some = exchanges(b, random, new ArrayList<>());
    ClockExchanges none = new ClockExchanges(RECEIVER, "two", List.of());
    ComparedClock first = clock(a, Optional.of(exchanges(a, random, new ArrayList<>())));
    ClockNetwork network =
        new ClockNetwork(List.of(first, clock(b, Optional.of(some)), clock(b, Optional.of(none))));
    ClockLine known = network.relation(1).orElseThrow().line();
    assertCovers(known, b, a);
    assertThat(network.relation(2).orElseThrow().line()).isEqualTo(known);
    ClockNetwork.Relation same =
        new ClockNetwork(List.of(clock(b, Optional.of(some)), clock(b, Optional.of(none))))
            .relation(1)
            .orElseThrow();
    assertThat(same.sameCounter()).isTrue();
    assertThat(same.how()).isEqualTo("by the same counter");
  }

  /** Clocks of two machines that were booted in the same second are not taken for one. */
  @Test
  void bootsTellCountersApart() {
    SplittableRandom random = new SplittableRandom(5);
    Wrong a = new Wrong("one", 0, 0, 2_000_000_000);
    Wrong b = new Wrong("two", 40_000_000, 0, 2_000_000_000);
    ClockNetwork network =
        new ClockNetwork(
            List.of(
                clock(a, Optional.of(exchanges(a, random, new ArrayList<>()))),
                clock(b, Optional.of(exchanges(b, random, new ArrayList<>())))));
    assertThat(network.relation(1).orElseThrow().sameCounter()).isFalse();
    assertCovers(network.relation(1).orElseThrow().line(), b, a);
  }

  @Test
  void anotherReceiverSaysNothing() {
    SplittableRandom random = new SplittableRandom(5);
    Wrong a = Wrong.random(random, "a");
    Wrong b = Wrong.random(random, "b");
    ClockExchanges elsewhere =
        new ClockExchanges("another", "b", exchanges(b, random, new ArrayList<>()).all());
    ClockNetwork network =
        new ClockNetwork(
            List.of(
                clock(a, Optional.of(exchanges(a, random, new ArrayList<>()))),
                clock(b, Optional.of(elsewhere))));
    assertThat(network.relation(1)).isEmpty();
  }

  @Test
  void driftsAreInvertedAndChained() {
    ClockDrift one = new ClockDrift(-1_700_000_000_123_456_789L, BEGIN, 150e-6);
    ClockDrift other = new ClockDrift(987_654_321L, 3_000_000_000L, -80e-6);
    for (long time = BEGIN; time < BEGIN + HOUR; time += HOUR / 10) {
      long there = time + one.at(time);
      assertThat(there + one.inverse().at(there)).isBetween(time - 1, time + 1);
      long third = there + other.at(there);
      assertThat(time + one.then(other).at(time)).isBetween(third - 1, third + 1);
    }
  }
}
