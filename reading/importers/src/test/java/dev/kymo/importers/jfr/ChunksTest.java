package dev.kymo.importers.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.EarlyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of several chunks. */
class ChunksTest {
  private static final int TICKS = 200_000;

  /** Each recording that begins makes the one around it begin a chunk. */
  private static final String PROGRAM =
      """
      import jdk.jfr.*;
      class Ticks {
        @Name("test.Tick") @StackTrace(false) static class Tick extends Event {}
        public static void main(String[] args) throws Exception {
          try (Recording whole = new Recording()) {
            whole.enable(Tick.class);
            whole.start();
            for (int i = 0; i < 4; i++) {
              try (Recording next = new Recording()) {
                next.start();
                for (int j = 0; j < Integer.parseInt(args[1]) / 4; j++) new Tick().commit();
              }
            }
            whole.dump(java.nio.file.Path.of(args[0]));
          }
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void areSeenBeforeTheEnd() throws Exception {
    Path file = folder.resolve("chunks.jfr");
    Path program = Files.writeString(folder.resolve("Ticks.java"), PROGRAM);
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                program.toString(),
                file.toString(),
                Integer.toString(TICKS))
            .inheritIO()
            .start();
    assertThat(java.waitFor(600, TimeUnit.SECONDS)).isTrue();
    Path recording = Files.createDirectory(folder.resolve("early"));
    assertThat(EarlyReader.of(new JfrFormat(), file, recording)).isPositive();
    Converted read = Converted.read(recording);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.events()).filteredOn(event -> event.contains("test.Tick")).hasSize(TICKS);
    assertThat(read.notices()).noneMatch(notice -> notice.contains("time steps back"));
  }
}
