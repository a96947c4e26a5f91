package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.BesideAgent;
import dev.kymo.e2e.kit.BesideAgent.Way;
import dev.kymo.e2e.kit.Debugger;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.format.Definition;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Recording;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A debugger stops at the same places with Kymo, and sees the same there. */
class DebuggerTest {
  @TempDir Path folder;

  static Stream<Arguments> ways() {
    return Jdk.all().stream()
        .flatMap(jdk ->
            Stream.of(Way.KYMO_FIRST, Way.KYMO_LAST, Way.RECORDED, Way.ATTACHED, Way.GONE)
                .map(way -> Arguments.of(jdk, way)));
  }

  /** Where Kymo is attached, the breakpoint is set after that; it stays when Kymo goes. */
  @Tag("peers")
  @ParameterizedTest
  @MethodSource("ways")
  void breakpointsAndSteps(Jdk jdk, Way way) throws Exception {
    boolean late = way.runs() < 2;
    Debugger alone = Debugger.of("Covered", "area", false);
    CompletableFuture<List<String>> expected = alone.run();
    Kymo.Result plain = program(jdk, alone).plain(folder.resolve("plain"));
    assertThat(expected.get()).contains("stop [Covered$Shape shape=instance of Covered$Circle]");

    Debugger debugger = Debugger.of("Covered", "area", late);
    CompletableFuture<List<String>> seen = debugger.run();
    BesideAgent both = program(jdk, debugger);
    assertThat(both.beside(way, debugger::set)).isEqualTo(plain);
    if (late) { // the second run is like the first one
      List<String> second = seen.get().subList(0, seen.get().size() - 1);
      assertThat(second).hasSizeGreaterThan(expected.get().size() / 2);
      assertThat(expected.get()).startsWith(second.toArray(String[]::new));
      assertThat(Kymo.run("info", both.recording(way).toString()).out())
          .contains("breakpoints in classes that were loaded are gone");
    } else {
      assertThat(seen.get()).isEqualTo(expected.get());
    }
    try (Recorded recorded = new Recorded(both.recording(way))) {
      assertThat(recorded.calls("Covered.area")).isEqualTo(3L * way.runs());
    }
  }

  private BesideAgent program(Jdk jdk, Debugger debugger) {
    List<String> program = List.of("-cp", Programs.CLASSES.toString(), "Twice", "Covered");
    return new BesideAgent(folder, jdk, debugger.option(), program);
  }

  /** A class that would be woven again would lose its breakpoints: it is counted instead. */
  @Test
  void theBudgetLeavesClassesAsTheyAre() throws Exception {
    Path recording = folder.resolve("r.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--strict",
            "--budget",
            "0.5%",
            "-o",
            recording.toString(),
            "--",
            Jdk.running().java().toString(),
            "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0",
            "-cp",
            Programs.CLASSES.toString(),
            "OwnCounts",
            "2",
            "3",
            "50");
    assertThat(result.exit()).isZero();
    try (Recording open = Recording.open(recording)) {
      assertThat(CallPass.open(open).steps())
          .isNotEmpty()
          .noneMatch(step -> step.mode() == Definition.MethodMode.LEFT_OUT);
    }
  }
}
