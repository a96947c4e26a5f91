package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What SQL says of a real recording is what the other commands say. */
class QueryTest {
  @TempDir Path folder;

  private static List<String> kymo(String... arguments) throws Exception {
    Kymo.Result result = Kymo.run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out().lines().toList();
  }

  private static List<String> ask(String recording, String sql) throws Exception {
    return kymo("query", recording, sql, "--format", "csv").stream().skip(1).sorted().toList();
  }

  @Test
  void methodsAndEventsAreThoseOfTheReports() throws Exception {
    String recording = folder.resolve("own.kymo").toString();
    kymo(
        "record",
        "-q",
        "--budget",
        "none",
        "--when-full",
        "block",
        "-o",
        recording,
        "--",
        Jdk.running().java().toString(),
        "-cp",
        Programs.CLASSES + ":" + Programs.API,
        "Own",
        "each",
        "100");
    List<String> report = kymo("report", recording, "--csv", "--limit", "0");
    List<String> head = List.of(report.getFirst().split(",", -1));
    List<String> expected =
        report.stream()
            .skip(1)
            .map(line -> List.of(line.split(",", -1)))
            .map(row ->
                String.join(
                    ",",
                    row.get(head.indexOf("method")),
                    row.get(head.indexOf("calls")),
                    row.get(head.indexOf("max_ns"))))
            .sorted()
            .toList();
    assertThat(expected).isNotEmpty();
    String methods =
        "SELECT name, count(*), max(duration) FROM calls JOIN methods USING (method) GROUP BY method, name";
    assertThat(ask(recording, methods)).isEqualTo(expected);

    long printed =
        kymo("print", recording).stream().filter(line -> line.contains("disk.ALLOC ")).count();
    assertThat(printed).isPositive();
    assertThat(ask(recording, "SELECT count(*) FROM disk.ALLOC"))
        .containsExactly(Long.toString(printed));
  }
}
