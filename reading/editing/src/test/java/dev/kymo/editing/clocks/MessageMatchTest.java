package dev.kymo.editing.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Two clocks are related by messages, each of which was received after it was sent. */
class MessageMatchTest {
  private static final long BEGIN = 1_700_000_000_000_000_000L;
  private static final long LENGTH = 20_000_000_000L;

  private final Map<SentMessages.Key, SentMessages.Times> first = new HashMap<>();
  private final Map<SentMessages.Key, SentMessages.Times> second = new HashMap<>();
  private final List<Long> trips = new ArrayList<>();

  /** What the second clock shows at a time by the first one. */
  private record Shifted(long offset, double rate) {
    long of(long time) {
      return time + offset + Math.round((time - BEGIN) * rate);
    }
  }

  private static SentMessages.Times of(Map<SentMessages.Key, SentMessages.Times> all, long key) {
    return all.computeIfAbsent(
        new SentMessages.Key("net", key),
        any -> new SentMessages.Times(new ArrayList<>(), new ArrayList<>()));
  }

  /** A request to the second recording and its answer. */
  private void talk(int key, long at, long there, long back, Shifted clock) {
    long received = at + there;
    long answered = received + 100_000;
    of(first, key).sent().add(SentMessages.End.whole(at));
    of(second, key).received().add(SentMessages.End.whole(clock.of(received)));
    of(second, key).sent().add(SentMessages.End.whole(clock.of(answered)));
    of(first, key).received().add(SentMessages.End.whole(answered + back));
    trips.add(there + back);
  }

  private Optional<ClockLine> match(Shifted clock) {
    return MessageMatch.find(
        new SentMessages(first, BEGIN, BEGIN + LENGTH),
        new SentMessages(second, clock.of(BEGIN), clock.of(BEGIN + LENGTH)));
  }

  private static long wrong(ClockLine match, Shifted clock, long time) {
    long shown = clock.of(time);
    return Math.abs(shown + match.drift().at(shown) - time);
  }

  private static long delay(SplittableRandom random) {
    return 30_000 + (long) (-Math.log(1 - random.nextDouble()) * 200_000);
  }

  @RepeatedTest(200)
  void theErrorCoversTheTruth(RepetitionInfo repetition) {
    SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
    long hour = 3_600_000_000_000L;
    Shifted clock = new Shifted(random.nextLong(-hour, hour), random.nextDouble(-200e-6, 200e-6));
    int messages = 40 + random.nextInt(400);
    for (int key = 0; key < messages; key++) {
      long at = BEGIN + LENGTH / messages * key + random.nextLong(1000);
      talk(key, at, delay(random), delay(random), clock);
    }
    ClockLine match = match(clock).orElseThrow();
    for (long time = BEGIN; time <= BEGIN + LENGTH; time += LENGTH / 8) {
      assertThat(wrong(match, clock, time)).isLessThanOrEqualTo(match.error());
    }
    long[] all = trips.stream().mapToLong(trip -> trip).sorted().toArray();
    assertThat(match.error()).isLessThan(all[all.length / 2] / 2);
    assertThat(match.readings()).isEqualTo(2 * messages);
    assertThat(match.slack()).isZero();
    assertThat(match.drift().rate()).isBetween(-clock.rate() - 1e-4, -clock.rate() + 1e-4);
  }

  /** A clock that was set during the recording. */
  @Test
  void contradictionsArePartOfTheError() {
    SplittableRandom random = new SplittableRandom(3);
    for (int key = 0; key < 200; key++) {
      Shifted clock = new Shifted(key < 100 ? 0 : 50_000_000, 0);
      talk(key, BEGIN + LENGTH / 200 * key, delay(random), delay(random), clock);
    }
    ClockLine match = match(new Shifted(0, 0)).orElseThrow();
    assertThat(match.slack()).isGreaterThan(1_000_000);
    assertThat(wrong(match, new Shifted(0, 0), BEGIN)).isLessThanOrEqualTo(match.error());
    assertThat(wrong(match, new Shifted(50_000_000, 0), BEGIN + LENGTH))
        .isLessThanOrEqualTo(match.error());
  }

  @Test
  void messagesInOneDirectionSayNothing() {
    of(first, 1).sent().add(SentMessages.End.whole(BEGIN));
    of(second, 1).received().add(SentMessages.End.whole(BEGIN + 5));
    assertThat(match(new Shifted(0, 0))).isEmpty();
    assertThat(
            MessageMatch.find(new SentMessages(Map.of(), 0, 1), new SentMessages(Map.of(), 0, 1)))
        .isEmpty();
  }

  /** One of several with the same key is missing: nobody knows which. */
  @Test
  void keysOfWhichAnyIsMissingAreLeftOut() {
    Shifted clock = new Shifted(7_000_000, 0);
    for (int key = 0; key < 20; key++) {
      talk(key, BEGIN + key * 1_000_000L, 40_000, 50_000, clock);
    }
    of(first, 3).sent().add(SentMessages.End.whole(BEGIN + 1_000_000_000));
    of(second, 4)
        .received()
        .addAll(Arrays.asList(SentMessages.End.whole(1), SentMessages.End.whole(2)));
    ClockLine match = match(clock).orElseThrow();
    assertThat(match.readings()).isEqualTo(36);
    assertThat(wrong(match, clock, BEGIN)).isLessThanOrEqualTo(match.error());
  }
}
