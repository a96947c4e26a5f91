package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native programs that were started with libkymo and are recorded only while they run. */
@Tag("native")
class NativeAttachTest {
  @TempDir Path folder;

  private Path end = Path.of("");
  private @Nullable Process program;

  @BeforeEach
  void name() {
    end = folder.resolve("end");
  }

  @AfterEach
  void end() {
    if (program != null) {
      program.destroyForcibly();
    }
  }

  private void start(String preloaded, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("-finstrument-functions");
    Path steady =
        NativePrograms.compile(
            Path.of("src/native/steady.c"), folder.resolve("steady"), all.toArray(String[]::new));
    ProcessBuilder builder = new ProcessBuilder(steady.toString(), end.toString());
    if (!preloaded.isEmpty()) {
      builder.environment().put("LD_PRELOAD", library(preloaded));
    }
    Process started = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    program = started;
    assertThat(started.inputReader().readLine()).isEqualTo("ready");
  }

  private static String library(String name) {
    return NativePrograms.LIBRARY.resolve(name).toString();
  }

  @Test
  void linkedInsteadOfPreloaded() throws Exception {
    start("", NativePrograms.shared());
    assertThat(record("r.kymo")).isPositive();
  }

  @Test
  void withTheLibraryInTheProgram() throws Exception {
    start("", library("libkymo.a"), "-ldl");
    assertThat(record("r.kymo")).isPositive();
  }

  @Test
  void withTheLibraryThatHasTheThreads() throws Exception {
    assumeTrue(
        Files.isRegularFile(Path.of(library("libkymo-threads.so"))),
        "skipped: libkymo-threads was not built, it is for x86-64 and ARM64");
    start("libkymo-threads.so");
    assertThat(record("r.kymo")).isPositive();
  }

  @Test
  void recordedTwiceAndBetweenNot() throws Exception {
    start("libkymo.so");
    Process running = running();
    BufferedReader out = running.inputReader();
    long first = record("first.kymo");
    long second = record("second.kymo");
    assertThat(running.isAlive()).isTrue();
    Files.createFile(end);
    long calls = Long.parseLong(out.readLine());
    assertThat(running.waitFor()).isEqualTo(7);
    assertThat(first).isPositive();
    assertThat(second).isPositive();
    assertThat(first + second).isLessThanOrEqualTo(calls);
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @Test
  void toItsEnd() throws Exception {
    start("libkymo.so");
    Path recording = folder.resolve("r.kymo");
    Process kymo =
        Kymo.start(
            folder, Map.of(), "record", "-q", "-o", recording.toString(), "--pid", "" + pid());
    Kymo.awaitFile(recording.resolve("p1-ring-1"), kymo);
    Files.createFile(end);
    assertThat(running().waitFor()).isEqualTo(7);
    Kymo.Result result = Kymo.finish(kymo, "");
    assertThat(result.exit()).as(result.err()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("step")).isPositive();
    }
  }

  @Test
  void whatIsRecordedAlreadyIsNotRecordedOnceMore() throws Exception {
    start("libkymo.so");
    Process kymo =
        Kymo.start(folder, Map.of(), "record", "-q", "-o", "first.kymo", "--pid", "" + pid());
    Kymo.awaitFile(folder.resolve("first.kymo/p1-ring-1"), kymo);
    Kymo.Result second =
        Kymo.runIn(folder, Map.of(), "", "record", "-o", "second.kymo", "--pid", "" + pid());
    assertThat(second.exit()).isEqualTo(2);
    assertThat(second.err())
        .isEqualTo(
            "kymo: cannot record: pid=%d reason=this process is recorded already\n"
                .formatted(pid()));
    Files.createFile(end);
    assertThat(Kymo.finish(kymo, "").exit()).isZero();
  }

  /** Calls that were recorded in half a second; only the last of them is without an end. */
  private long record(String name) throws Exception {
    Path recording = folder.resolve(name);
    Kymo.Result result =
        Kymo.run(
            "record", "-q", "-o", recording.toString(), "--duration", "500ms", "--pid", "" + pid());
    assertThat(result.exit()).as(result.err()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      return recorded.calls("step");
    }
  }

  private long pid() {
    return running().pid();
  }

  private Process running() {
    return Objects.requireNonNull(program);
  }
}
