package dev.kymo.analysis.difference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {
  @TempDir Path directory;

  private int runs;

  private Gate gate(Consumer<Program> base, Consumer<Program> change, String... rules)
      throws IOException {
    List<GateRule> all =
        List.of(rules).stream().map(rule -> GateRule.of(rule).orElseThrow()).toList();
    try (Recording one = record(base);
        Recording other = record(change)) {
      return Gate.of(
          Difference.of(
              List.of(CallPass.open(one)),
              List.of(CallPass.open(other)),
              name -> all.stream().anyMatch(rule -> rule.matches(name)),
              ProgressListener.NONE),
          all);
    }
  }

  private Recording record(Consumer<Program> change) throws IOException {
    runs++;
    Program program = new Program(1000 + runs);
    change.accept(program);
    return Recording.open(program.record(directory.resolve("run-" + runs)));
  }

  @Test
  void isSilentWhenNothingChanged() throws IOException {
    for (int pair = 0; pair < 20; pair++) {
      double speed = 0.6 + 0.07 * pair; // a machine with other things to do
      Gate gate =
          gate(
              p -> p.noise = 0.2,
              p -> {
                p.noise = 0.2;
                p.speed = speed;
              },
              "5%");
      assertThat(gate.broken()).as("speed=%s", speed).isEmpty();
    }
  }

  @Test
  void breaksAtEachKindOfChange() throws IOException {
    List<Consumer<Program>> changes =
        List.of(
            p -> p.parse *= 2,
            p -> p.writes = 8,
            p -> p.flush = true,
            p -> p.sleep = 40_000,
            p -> p.requests = 450);
    for (Consumer<Program> change : changes) {
      assertThat(gate(p -> {}, change, "5%").broken()).hasSize(1);
      assertThat(gate(change, p -> {}, "5%").broken()).isEmpty(); // the other way it is less
    }
  }

  @Test
  void allowsWhatIsBelowItsLimit() throws IOException {
    assertThat(gate(p -> {}, p -> p.parse *= 2, "150%").broken()).isEmpty();
  }

  @Test
  void doesNotMindCallsMadeInAnotherOrder() throws IOException {
    assertThat(gate(p -> {}, p -> p.swapped = true, "1%").broken()).isEmpty();
  }

  @Test
  void checksOneMethod() throws IOException {
    Gate gate =
        gate(p -> {}, p -> p.parse *= 2, "App.parse p90 +10%", "load mean +10%", "parse calls +1");
    assertThat(gate.broken()).hasSize(1);
    assertThat(gate.broken().getFirst().method()).isEqualTo("a.App.parse");
    assertThat(gate(p -> {}, p -> p.writes = 6, "write calls +0%").broken()).hasSize(1);
    assertThat(gate(p -> {}, p -> p.writes = 6, "write calls +600").broken()).isEmpty();
    assertThat(gate(p -> {}, p -> {}, "nobody p50 +1ms").unmet())
        .containsExactly("nobody p50 +1ms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "x", "x p98 +1%", "x calls +1ms", "x p99 +5", "x p99 10%"})
  void rejectsWhatIsNoRule(String text) {
    assertThat(GateRule.of(text)).isEmpty();
  }

  @Test
  void namesMethodsByTheirEnd() {
    GateRule rule = GateRule.of("X.parse* max +1.5ms").orElseThrow();
    assertThat(rule.limit()).isEqualTo(1.5e6);
    assertThat(List.of("a.X.parse", "X.parseAll").stream().allMatch(rule::matches)).isTrue();
    assertThat(List.of("a.BX.parse", "a.X.xparse").stream().noneMatch(rule::matches)).isTrue();
  }
}
