package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
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

  private static String columns(String row, int one, int other) {
    List<String> columns = List.of(row.split(",", -1));
    return columns.get(one) + ' ' + columns.get(other);
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
    List<String> rows = report.subList(1, report.size());
    assertThat(rows).isNotEmpty();
    for (String line : rows) {
      List<String> row = List.of(line.split(",", -1));
      String method = row.get(head.indexOf("method"));
      // Begin and end are rounded to nanoseconds, the report rounds what is between them.
      String asked =
          "SELECT count(*), abs(max(duration) - %s) < 2 FROM calls JOIN methods USING (method) WHERE name = '%s'"
              .formatted(row.get(head.indexOf("max_ns")), method);
      assertThat(ask(recording, asked))
          .as(method)
          .containsExactly(row.get(head.indexOf("calls")) + ",true");
    }

    List<String> costs =
        kymo("query", recording, "--question", "costs", "--set", "most=10000", "--format", "csv");
    assertThat(costs.stream().skip(1).map(row -> columns(row, 1, 2)).toList())
        .containsExactlyInAnyOrderElementsOf(
            rows.stream()
                .map(row -> columns(row, head.indexOf("method"), head.indexOf("calls")))
                .toList());

    long printed =
        kymo("print", recording).stream().filter(line -> line.contains("disk.ALLOC ")).count();
    assertThat(printed).isPositive();
    assertThat(ask(recording, "SELECT count(*) FROM disk.ALLOC"))
        .containsExactly(Long.toString(printed));
  }
}
