package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.Damage;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stored recordings, with their index, damaged in any way: every command reads them as far as they
 * go, or refuses in a sentence. {@code -Dkymo.fuzz.seed} and {@code -Dkymo.fuzz.commands} choose
 * others than usual.
 */
@Tag("slow")
@Tag("stress")
class CommandFuzzTest {
  private static final Path CORPUS = SourceTree.path("corpus", "succeed");
  private static final int CASES = Integer.getInteger("kymo.fuzz.commands", 400);

  private static final List<String> COMMANDS =
      List.of(
          "info",
          "info --json --steps",
          "report",
          "report --json --per-thread",
          "report --csv",
          "report --waits",
          "report --kernel --per-thread",
          "report --cpus",
          "report --threads --json",
          "report --events --json",
          "report --locks --json",
          "replay",
          "replay --merged --json",
          "print",
          "print --kernel --definitions --format table",
          "print --kernel --csv",
          "print --format raw",
          "why 1/1@0.0 --json",
          "index",
          "slice -o OUT.kymo --force --from 10ns",
          "export --to chrome -o OUT.json --force",
          "export --to collapsed -o OUT.txt --force",
          "export --to speedscope -o OUT.scope --force",
          "export --to pprof -o OUT.pb.gz --force",
          "export --to csv -o OUT.csv --force --from 10ns",
          "export --to paje -o OUT.paje --force",
          "export --to perfetto -o OUT.pftrace --force");

  @TempDir Path directory;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void everyCommandAnswersOrRefuses() throws IOException {
    long seed = Long.getLong("kymo.fuzz.seed", System.nanoTime());
    System.out.printf("CommandFuzzTest: seed=%d cases=%d%n", seed, CASES);
    List<Path> recordings = copies();
    for (int i = 0; i < CASES; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      Path recording = recordings.get(random.nextInt(recordings.size()));
      List<Path> files = files(recording);
      Path file = files.get(random.nextInt(files.size()));
      byte[] whole = Files.readAllBytes(file);
      String how = damage(file, whole, random);
      String command = COMMANDS.get(random.nextInt(COMMANDS.size()));
      Kymo kymo = run(command, recording);
      String what = "seed=%d %s %s: %s".formatted(seed + i, command, file, how);
      assertThat(kymo.code()).as(what).isBetween(0, 2);
      assertThat(kymo.err())
          .as(what)
          .doesNotContain("Exception")
          .doesNotContain("failed: error=")
          .doesNotContain("\tat ");
      HarmfulNamesTest.assertHarmless(kymo.err());
      Files.deleteIfExists(file);
      Files.write(file, whole);
    }
  }

  private static String damage(Path file, byte[] whole, SplittableRandom random)
      throws IOException {
    if (random.nextInt(12) == 0) {
      Files.delete(file);
      return "deleted";
    }
    byte[] bytes = Damage.of(whole, random);
    Files.write(file, bytes);
    return "%d of %d bytes".formatted(bytes.length, whole.length);
  }

  private Kymo run(String command, Path recording) {
    String text = command.replace("OUT", directory.resolve("out").toString());
    List<String> words = new ArrayList<>(List.of(text.split(" ")));
    words.add(1, recording.toString());
    return Kymo.run(words.toArray());
  }

  private List<Path> copies() throws IOException {
    List<Path> copies = new ArrayList<>();
    try (Stream<Path> versions = Files.list(CORPUS)) {
      for (Path version : versions.sorted().toList()) {
        Path copy = directory.resolve(version.getFileName() + ".kymo");
        Files.createDirectory(copy);
        for (Path file : files(version.resolve("recording"))) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
        assertThat(Kymo.run("index", copy).err()).isEmpty();
        copies.add(copy);
      }
    }
    return copies;
  }

  /** All files, those of the index included. */
  private static List<Path> files(Path recording) throws IOException {
    try (Stream<Path> all = Files.walk(recording)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.endsWith("lock"))
          .sorted()
          .toList();
    }
  }
}
