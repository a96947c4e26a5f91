package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions of a native program: the program gives their addresses, the recorder their names. */
class NamedTest {
  private static final Path SOURCE = Path.of("src/native/named.c").toAbsolutePath();

  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    Path file = folder.resolve("named");
    program = NativePrograms.compile(SOURCE, file, "-g", "-finstrument-functions");
  }

  private static void isNamed(Path recording) throws Exception {
    assertThat(recording.resolve("p1-names")).exists();
    Kymo.Result replay = Kymo.run("replay", recording.toString());
    assertThat(replay.err()).isEmpty();
    assertThat(replay.out()).contains("ns::inner").contains("plain").doesNotContain("_ZN");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls)
          .containsOnly(
              Map.entry("main", 1L), Map.entry("ns::inner", 10L), Map.entry("plain", 10L));
      for (int i = 0; i < 3; i++) {
        assertThat(recorded.timeline.method(i).source()).isIn("", SOURCE.toString());
      }
      assertThat(recorded.timeline.oddities()).isEmpty();
    }
  }

  @Test
  void functionsAreNamedWhenTheRecordingEnds() throws Exception {
    Path recording = folder.resolve("named.kymo");
    Kymo.Result result =
        Kymo.run("record", "-q", "-o", recording.toString(), "--", program.toString());
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    isNamed(recording);
    Path part = folder.resolve("part.kymo");
    assertThat(Kymo.run("slice", recording.toString(), "-o", part.toString()).err()).isEmpty();
    isNamed(part);
  }

  @Test
  void orWhenARecordingIsReadWhoseRecorderWasKilled() throws Exception {
    Path recording = folder.resolve("killed.kymo");
    Process kymo =
        Kymo.start(
            folder, Map.of(), "record", "-o", recording.toString(), "--", program.toString(), "x");
    assertThat(kymo.inputReader().readLine()).isEqualTo("ready");
    ProcessHandle named =
        kymo.children()
            .filter(child -> child.info().command().orElse("").equals(program.toString()))
            .findFirst()
            .orElseThrow();
    kymo.destroyForcibly();
    assertThat(kymo.waitFor(600, TimeUnit.SECONDS)).isTrue();
    Files.deleteIfExists(recording.resolve("p1-names"));
    named.destroyForcibly();
    named.onExit().get(600, TimeUnit.SECONDS);
    Kymo.Result info = Kymo.run("info", recording.toString());
    assertThat(info.exit()).isZero();
    isNamed(recording);
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }
}
