package dev.kymo.importers.barrelfish;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LogFactsTest {
  static List<String> samples() throws IOException {
    return Samples.names();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void countsWhatIsInRealLogs(String name) throws IOException {
    Map<String, Long> expected = Samples.expected(name);
    LogFacts facts = Samples.facts(Samples.bytes(name));
    assertThat(
            Map.of(
                "events", facts.events(),
                "cores", (long) facts.cores(),
                "cswitch", facts.switches(),
                "tx", facts.sent(),
                "rx", facts.received(),
                "paired", facts.paired(),
                "tmin", facts.first(),
                "tmax", facts.last()))
        .allSatisfy((what, count) -> assertThat(count).as(what).isEqualTo(expected.get(what)));
    assertThat(facts.names()).isSameAs(EventNames.OLD);
  }

  @Test
  void applicationsAreKnownByTheLowerHalfOfTheirNumberAndCore() throws IOException {
    LogFacts facts = Samples.facts(Samples.bytes("demo.1.log"));
    assertThat(facts.name(0, 0x0713aa00)).isEqualTo("fish");
    assertThat(facts.name(15, 0x0713aa00)).isEqualTo("713aa00");
  }

  @Test
  void currentNumbersAreTold() {
    LogFacts facts = facts("0 5 1234abcd", "0 6 100000000", "0 7 ea00000000001000", "1 9 0");
    assertThat(facts.names()).isSameAs(EventNames.CURRENT);
    assertThat(facts.switches()).isEqualTo(2);
    assertThat(facts.names().event(0, 0).description()).isEqualTo("Context Switch");
  }

  @Test
  void markersAreNoSwitchesOfTheCurrentSet() {
    LogFacts facts = facts("0 5 bbbb", "0 6 aaaa", "0 7 bbb", "0 8 aaa");
    assertThat(facts.names()).isSameAs(EventNames.OLD);
    assertThat(facts.switches()).isZero();
  }

  @Test
  void keysThatRepeatPairAsOftenAsBothEndsAreThere() {
    LogFacts facts = facts("1 5 eb00000000001000", "0 5 ea00000000001000", "0 6 ea00000000001000");
    assertThat(facts.paired()).isEqualTo(1);
  }

  @Test
  void offsetsOfCoresAreTakenOff() {
    LogFacts facts = facts("# Offset 1 100", "# Offset 2 -50", "0 500 1", "1 580 1", "2 500 1");
    assertThat(facts.first()).isEqualTo(480);
    assertThat(facts.last()).isEqualTo(550);
  }

  @Test
  void dumpsOfOldLogsFollowEachOther() {
    LogFacts facts =
        facts(
            "# Start 1000 Duration 0 Stop 18446744073709551615",
            "0 0 1",
            "0 70 1",
            "# Start 3000 Duration 0 Stop 18446744073709551615",
            "0 0 1",
            "0 80 1");
    assertThat(facts.first()).isZero();
    assertThat(facts.last()).isEqualTo(2080);
  }

  @Test
  void newLogsHaveWholeTimes() {
    LogFacts facts =
        facts(
            "# Start 1000 Duration 0 Stop 18446744073709551615",
            "# Min_timestamp 1005",
            "0 1005 1",
            "# Min_timestamp 2000",
            "0 2000 1");
    assertThat(facts.first()).isEqualTo(1005);
    assertThat(facts.last()).isEqualTo(2000);
  }

  @Test
  void bothSetsOfNamesAreWhole() {
    assertThat(EventNames.OLD.subsystems()).isEqualTo(11);
    assertThat(EventNames.OLD.event(0xeeee, 0x203).name()).isEqualTo("MUTEX_LOCK_NESTED_LEAVE");
    assertThat(EventNames.CURRENT.subsystems()).isEqualTo(20);
    assertThat(EventNames.CURRENT.events()).isEqualTo(297);
  }

  private static LogFacts facts(String... lines) {
    try {
      return Samples.facts(String.join("\n", lines).getBytes(US_ASCII));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
