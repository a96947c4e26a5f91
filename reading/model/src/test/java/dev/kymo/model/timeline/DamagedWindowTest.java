package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.RecordingException;
import dev.kymo.testkit.Damage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Windows of damaged recordings, with so little memory that most of them are decoded again. */
class DamagedWindowTest {
  private static final int CASES = Integer.getInteger("kymo.fuzz.cases", 2_000);

  @TempDir Path directory;

  @Tag("slow")
  @Test
  @Timeout(600)
  void windowsOfDamagedRecordings() throws IOException {
    long seed = Long.getLong("kymo.fuzz.seed", 20261121L);
    System.out.printf("DamagedWindowTest: seed=%d cases=%d%n", seed, CASES);
    Path path = Damage.recording().write(directory.resolve("fuzz"));
    String[] files = {"p1-ring-0", "p1-ring-1"};
    for (int i = 0; i < CASES; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      Path file = path.resolve(files[random.nextInt(2)]);
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, Damage.of(whole, random));
      Files.deleteIfExists(path.resolve(".index/contents")); // changed within the clock's grain
      try (Timeline timeline =
          Timelines.open(path, ProgressListener.NONE, new Timelines.Limits(50, 0, 20))) {
        timeline.tracks().stream().limit(20).forEach(t -> look(timeline, t, random));
      } catch (RecordingException | RuntimeException | Error e) {
        throw new AssertionError("case of its own seed=" + (seed + i), e);
      }
      Files.write(file, whole);
    }
  }

  private static void look(Timeline timeline, Track track, SplittableRandom random) {
    long from = random.nextLong(timeline.duration() + 1);
    timeline.slices(
        track.id(),
        from,
        from + random.nextLong(10_000),
        random.nextInt(2) * 100L,
        (depth, method, begin, end, calls, flags) ->
            assertThat(end).as("depth=%d", depth).isGreaterThanOrEqualTo(begin));
    timeline.call(track.id(), random.nextInt(4), from);
  }
}
