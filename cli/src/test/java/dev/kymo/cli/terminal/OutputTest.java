package dev.kymo.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.cli.Kymo;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An output that cannot be written is a failure, unless only nobody reads it any more. */
class OutputTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir Path directory;

  private Path recording(int calls) {
    RecordingBuilder r = new RecordingBuilder();
    r.process(1).thread(1, 1, "main").method(1, 1, "a.B", "run");
    StreamWriter ring = r.ring(1, 0, 1);
    for (int i = 0; i < calls; i++) {
      ring.enter(100 + 20 * i, 1).leave(110 + 20 * i, 1);
    }
    return r.write(directory.resolve("run.kymo"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "info",
        "info --json",
        "report",
        "report --json",
        "report --csv",
        "replay",
        "replay --json",
        "print",
        "print --csv",
        "print --json"
      })
  void aFullDiskIsSaid(String command) throws IOException {
    assumeTrue(Files.exists(FULL), "no /dev/full here");
    // Few calls fit the buffer and fail at the end, many fail on the way.
    for (int calls : new int[] {1, 20_000}) {
      List<String> words = new ArrayList<>(List.of(command.split(" ")));
      words.add(1, recording(calls).toString());
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int code;
      try (OutputStream out = new FileOutputStream(FULL.toFile())) {
        code =
            Kymo.run(
                words.toArray(String[]::new),
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8));
      }
      assertThat(code).isEqualTo(1);
      assertThat(err)
          .hasToString(
              "kymo: output cannot be written, it ends too early: error=\"No space left on device\";"
                  + " make room or write elsewhere\n");
    }
  }

  /** Through a real pipe, because it is the kernel's error that counts. */
  @Test
  void nobodyWhoReadsIsNoFailure() throws Exception {
    Path path = recording(50_000);
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    CompletableFuture<InputStream> reader = CompletableFuture.supplyAsync(() -> open(pipe));
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (OutputStream out = new FileOutputStream(pipe.toFile())) {
      reader.get(600, TimeUnit.SECONDS).close();
      int code =
          Kymo.run(
              new String[] {"print", path.toString()},
              out,
              new PrintStream(err, true, StandardCharsets.UTF_8));
      assertThat(err).hasToString("");
      assertThat(code).isZero();
    }
  }

  private static InputStream open(Path pipe) {
    try {
      return new FileInputStream(pipe.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
