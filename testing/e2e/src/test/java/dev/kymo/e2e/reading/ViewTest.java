package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Viewing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For real programs the viewer's tables agree with {@code kymo report}. */
class ViewTest {
  private static final Path H2 = Path.of("target/peers/h2.jar").toAbsolutePath();

  @TempDir Path folder;

  /** Calls and nanoseconds of a method. */
  private record Cost(long calls, long total, long self) {}

  @Test
  void h2() throws Exception {
    Path script = folder.resolve("query.sql");
    Files.writeString(
        script,
        """
        create table t(id int primary key, v varchar) as select x, 'row'||x from system_range(1,300);
        select count(*), sum(id) from t where v like 'row1%';
        """);
    record(
        Jdk.running().java().toString(),
        "-cp",
        H2.toString(),
        "org.h2.tools.RunScript",
        "-url",
        "jdbc:h2:mem:",
        "-script",
        script.toString());
    compare();
  }

  @Test
  void javac() throws Exception {
    Path javac = Jdk.running().java().resolveSibling("javac");
    record(
        javac.toString(),
        "-d",
        folder.toString(),
        Programs.SOURCES.resolve("Known.java").toString());
    compare();
  }

  private void record(String... program) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("record", "-q", "--when-full", "block", "-o", recording().toString()));
    // An index that is made while recording has the clock as known at that time, the report has it
    // as known at the end: a ten-millionth apart.
    command.add("--no-index");
    command.addAll(List.of("--include", "com.sun.tools.javac.code", "--include", "org.h2", "--"));
    command.addAll(List.of(program));
    Kymo.Result result = Kymo.run(command.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
  }

  private Path recording() {
    return folder.resolve("run.kymo");
  }

  private void compare() throws Exception {
    try (Viewing viewing = Viewing.of(recording())) {
      long duration = text(viewing.ask("api/growth"), "\"duration\":\"(\\d+)\"");
      compare(viewing, 0, duration);
      compare(viewing, duration / 3, duration / 2);
      compare(viewing, duration * 9 / 10, duration * 9 / 10 + 1_000_000);
    }
  }

  private void compare(Viewing viewing, long from, long to) throws Exception {
    Map<String, Cost> report = report(from, to);
    Map<String, Cost> summary = summary(viewing, from, to);
    assertThat(summary.keySet()).isEqualTo(report.keySet());
    report.forEach((method, cost) -> {
      Cost seen = summary.getOrDefault(method, new Cost(0, 0, 0));
      // The report adds up clock ticks, the viewer nanoseconds: one may be lost at each end.
      Offset<Long> rounding = Offset.offset(2 * cost.calls() + 2);
      assertThat(seen.calls()).as(method).isEqualTo(cost.calls());
      assertThat(seen.total()).as(method).isCloseTo(cost.total(), rounding);
      assertThat(seen.self()).as(method).isGreaterThanOrEqualTo(0);
    });
    long calls = summary.values().stream().mapToLong(Cost::calls).sum();
    String range = "from=%d&to=%d".formatted(from, to);
    assertThat(LongStream.of(column(viewing.ask("api/tree?" + range), "calls")).sum())
        .isEqualTo(calls);
  }

  private Map<String, Cost> report(long from, long to) throws Exception {
    String csv =
        Kymo.run(
                "report", "--csv", "--from", from + "ns", "--to", to + "ns", recording().toString())
            .out();
    Map<String, Cost> costs = new HashMap<>();
    List<String> head = List.of(csv.lines().findFirst().orElseThrow().split(","));
    int calls = head.indexOf("calls");
    int total = head.indexOf("total_ns");
    int self = head.indexOf("self_ns");
    for (String line : csv.lines().skip(1).toList()) {
      String[] cells = line.split(",", -1);
      Cost cost =
          new Cost(
              Long.parseLong(cells[calls]),
              Long.parseLong(cells[total]),
              Long.parseLong(cells[self]));
      costs.merge(cells[0], cost, ViewTest::sum);
    }
    return costs;
  }

  /** Overloaded methods have one name. */
  private static Cost sum(Cost a, Cost b) {
    return new Cost(a.calls + b.calls, a.total + b.total, a.self + b.self);
  }

  private static Map<String, Cost> summary(Viewing viewing, long from, long to) throws Exception {
    String answer = viewing.ask("api/summary?from=%d&to=%d".formatted(from, to));
    long[] methods = column(answer, "method");
    long[] calls = column(answer, "calls");
    long[] total = column(answer, "total");
    long[] self = column(answer, "self");
    Map<String, Cost> costs = new HashMap<>();
    for (int i = 0; i < methods.length; i++) {
      String method = viewing.ask("api/methods?ids=" + methods[i]);
      Matcher name = Pattern.compile("\"type\":\"([^\"]*)\",\"name\":\"([^\"]*)\"").matcher(method);
      assertThat(name.find()).as(method).isTrue();
      costs.merge(
          name.group(1) + '.' + name.group(2),
          new Cost(calls[i], total[i], self[i]),
          ViewTest::sum);
    }
    return costs;
  }

  private static long[] column(String json, String name) {
    Matcher column = Pattern.compile('"' + name + "\":\\[([\\d,]*)]").matcher(json);
    assertThat(column.find()).as(json).isTrue();
    return Pattern.compile(",")
        .splitAsStream(column.group(1))
        .filter(cell -> !cell.isEmpty())
        .mapToLong(Long::parseLong)
        .toArray();
  }

  private static long text(String json, String pattern) {
    Matcher number = Pattern.compile(pattern).matcher(json);
    assertThat(number.find()).as(json).isTrue();
    return Long.parseLong(number.group(1));
  }
}
