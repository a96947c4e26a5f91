package dev.kymo.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings that are written and completed by another process while they are looked at. */
class WriterWatchTest {
  private static final int RECORDINGS = 3000;

  @TempDir Path folder;

  @Test
  @Timeout(600)
  void whoEndsWhileItIsLookedAtWasNotKilled() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process writer =
        new ProcessBuilder(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                folder.toString())
            .inheritIO()
            .start();
    try {
      for (int i = 0; i < RECORDINGS; i++) {
        Path recording = folder.resolve("" + i);
        while (!Files.exists(recording)) {
          assertThat(writer.isAlive() || Files.exists(recording)).isTrue();
          Thread.onSpinWait();
        }
        RecordingState state;
        do {
          state = new WriterWatch(recording).look();
          assertThat(state).isNotEqualTo(RecordingState.ABANDONED);
        } while (state != RecordingState.COMPLETE);
      }
    } finally {
      writer.destroyForcibly();
    }
  }

  /** With a delay they would pass below the least number. */
  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE + 1})
  void aClockThatCannotBeIsUnknown(long clock) throws IOException {
    WriterWatch watch = new WriterWatch(folder);
    writePresent(clock, clock);
    Map<Integer, Long> states = new HashMap<>(Map.of(1, 0L));

    watch.states(states);

    assertThat(watch.present()).isEqualTo(Long.MIN_VALUE);
    assertThat(states).containsEntry(1, 0L);
    writePresent(5, 3);
    watch.states(states);
    assertThat(watch.present()).isEqualTo(5);
    assertThat(states).containsEntry(1, 3L);
    writePresent(clock, clock);
    assertThat(watch.present()).isEqualTo(5);
  }

  private void writePresent(long... clocks) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(clocks.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(clocks);
    Files.write(folder.resolve(".present"), bytes.array());
  }

  /** Makes recordings that are complete at once, in the order in which a recorder does it. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      for (int i = 0; i < RECORDINGS; i++) {
        Path fresh = Files.createDirectory(folder.resolve("new" + i));
        try (FileChannel rings =
            FileChannel.open(
                fresh.resolve(".rings"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
          rings.lock();
          Path recording = Files.move(fresh, folder.resolve("" + i));
          Files.delete(recording.resolve(".rings"));
        }
      }
    }
  }
}
