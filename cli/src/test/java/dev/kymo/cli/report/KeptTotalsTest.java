package dev.kymo.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.testkit.HoppingThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A report says the same to the letter, whether it reads all events or has totals to begin with.
 */
class KeptTotalsTest {
  private static final int EVENTS = 4000;

  @TempDir Path directory;

  private static List<String> reports(Path recording) {
    List<String> said = new ArrayList<>();
    for (String form : List.of("--limit=5", "--json", "--csv", "--sort=calls", "--filter=m[1-3]")) {
      Kymo kymo = Kymo.run("report", form, recording);
      said.add(kymo.out() + kymo.err());
    }
    return said;
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, true", "4, true", "5, true"})
  void sameWithTotals(long seed, boolean losses) {
    Path recording =
        HoppingThreads.recording(seed, EVENTS, losses).write(directory.resolve("r.kymo"));
    List<String> read = reports(recording);
    assertThat(Files.exists(recording.resolve(".index"))).isFalse();
    assertThat(Kymo.run("index", recording).err()).isEmpty();
    assertThat(reports(recording)).isEqualTo(read);
  }
}
