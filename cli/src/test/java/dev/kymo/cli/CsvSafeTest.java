package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command that writes CSV makes what spreadsheets take for formulas harmless, if asked. */
class CsvSafeTest {
  private static final String FORMULA = "=HYPERLINK(1)";

  @TempDir Path directory;
  private Path recording = Path.of("");

  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, FORMULA);
    r.method(1, 1, FORMULA, "").ring(1, 0, 1).enter(100, 1).leave(200, 1);
    recording = r.write(directory.resolve("r.kymo"));
  }

  private Kymo run(String words) {
    List<Object> all = new ArrayList<>(List.of((Object[]) words.split(" ")));
    all.add(1, recording);
    return Kymo.run(all.toArray());
  }

  private static boolean isThere(String csv, String cell) {
    return ("," + csv.replace('\n', ',')).contains("," + cell);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report --csv",
        "print --csv",
        "replay --csv",
        "query --format csv FROM(threads)",
      })
  void onStandardOutput(String words) {
    Kymo plain = run(words);
    assertThat(plain.code()).as(plain.err()).isZero();
    assertThat(isThere(plain.out(), FORMULA)).as(plain.out()).isTrue();
    Kymo safe = run(words.replaceFirst(" ", " --csv-safe "));
    assertThat(safe.code()).as(safe.err()).isZero();
    assertThat(isThere(safe.out(), FORMULA)).as(safe.out()).isFalse();
    assertThat(isThere(safe.out(), "'" + FORMULA)).as(safe.out()).isTrue();
  }

  @Test
  void inFiles() throws IOException {
    Path to = directory.resolve("tables");
    assertThat(run("export --to csv --csv-safe -o " + to).code()).isZero();
    for (String table : List.of("calls", "threads", "methods")) {
      String csv = Files.readString(to.resolve(table + ".csv"));
      assertThat(isThere(csv, FORMULA)).as(csv).isFalse();
      assertThat(isThere(csv, "'" + FORMULA)).as(csv).isTrue();
    }
  }

  @Test
  void negativeNumbersStayNumbers() {
    Kymo kymo = Kymo.run("query", recording, "--format", "csv", "--csv-safe", "SELECT -5, -0.5");
    assertThat(kymo.out()).endsWith("\n-5,-0.5\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"report", "print --json", "query FROM(threads)", "export --to chrome -o x"})
  void isForCsv(String words) {
    Kymo kymo = run(words.replaceFirst("( |$)", " --csv-safe "));
    assertThat(kymo.err()).isEqualTo("kymo: --csv-safe is for CSV\n");
    assertThat(kymo.code()).isEqualTo(2);
  }
}
