package dev.kymo.e2e.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Viewing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other tracers' files in the place of recordings, and several recordings as one. */
class ExchangeTest {
  /** A call of 3 ms with a shorter one in it, 1.7e9 seconds after 1970. */
  private static final String CHROME =
      """
      {"traceEvents": [
        {"ph": "X", "ts": 1700000000000000, "dur": 3000, "pid": 7, "tid": 8, "cat": "c", "name": "outer"},
        {"ph": "X", "ts": 1700000000001000, "dur": 1000.5, "pid": 7, "tid": 8, "cat": "c", "name": "inner"},
        {"ph": "M", "ts": 0, "pid": 7, "tid": 8, "name": "thread_name", "args": {"name": "worker"}}
      ]}
      """;

  @TempDir Path folder;

  private Path chrome(String name) throws Exception {
    return Files.writeString(folder.resolve(name), CHROME);
  }

  private static String kymo(String... arguments) throws Exception {
    Kymo.Result result = Kymo.run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void commandsTakeForeignFiles() throws Exception {
    String file = chrome("no name tells it").toString();
    assertThat(kymo("replay", file)).contains("c.outer", "c.inner");
    assertThat(kymo("info", file))
        .contains("imported from Chrome's trace events (JSON): file=no name tells it events=3");
    Path recording = folder.resolve("kept.kymo");
    kymo("import", file, "-o", recording.toString());
    assertThat(kymo("replay", recording.toString())).isEqualTo(kymo("replay", file));
    assertThat(kymo("print", recording.toString())).isEqualTo(kymo("print", file));
  }

  @Test
  void otherReadersOfCtfReadWhatIsImported() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/babeltrace2")),
        "skipped: babeltrace2 is not installed, it was not asked");
    Path recording = folder.resolve("kept.kymo");
    kymo("import", chrome("x.json").toString(), "-o", recording.toString());
    Kymo.Result read = Kymo.exec(folder, "babeltrace2", recording.toString());
    assertThat(read.err()).isEmpty();
    assertThat(read.out().lines().filter(line -> line.contains(" enter:"))).hasSize(2);
    assertThat(read.out().lines().filter(line -> line.contains(" leave:"))).hasSize(2);
  }

  @Test
  void severalAreOne() throws Exception {
    String one = chrome("one.json").toString();
    String two = chrome("two.json").toString();
    Path merged = folder.resolve("all.kymo");
    Kymo.Result result =
        Kymo.run("merge", one, two, "--offset", "two.json=1ms", "-o", merged.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).isEqualTo("kymo: joined two.json: by the offset that was given\n");
    List<String> calls = kymo("replay", merged.toString()).lines().toList();
    assertThat(calls.stream().filter(line -> line.contains("} c.outer"))).hasSize(2);
    assertThat(kymo("info", merged.toString()))
        .contains("merged: recording=two.json", "offset=1000000 ns; by the offset that was given");
  }

  @Test
  void filesOfTheSameTimeAreOnePicture() throws Exception {
    String one = chrome("one.json").toString();
    String two = chrome("two.json").toString();
    try (Viewing viewing = Viewing.by(Map.of(), "view", "--no-browser", one, two)) {
      assertThat(viewing.ask("/api/recording")).contains("\"one.json + two.json\"");
    }
    String later =
        Files.writeString(folder.resolve("x"), CHROME.replace("1700", "1800")).toString();
    try (Viewing viewing = Viewing.by(Map.of(), "view", "--no-browser", one, later)) {
      assertThat(viewing.ask("/api/recordings")).contains("[\"one.json\",\"x\"]");
    }
    try (Viewing viewing = Viewing.by(Map.of(), "view", "--one-axis", "--no-browser", one, later)) {
      assertThat(viewing.ask("/api/recording")).contains("\"one.json + x\"");
    }
  }

  @Test
  void whatGoesOutComesBack() throws Exception {
    Path run = folder.resolve("run.kymo");
    kymo(
        "record",
        "-q",
        "--budget",
        "none",
        "--when-full",
        "block",
        "-o",
        run.toString(),
        "--",
        Jdk.running().java().toString(),
        "-cp",
        Programs.CLASSES.toString(),
        "Known");
    long[] known = fib(run);
    assertThat(known[0]).isEqualTo(1973);
    for (String format : List.of("chrome", "perfetto", "paje")) {
      Path out = folder.resolve("out." + format);
      kymo("export", run.toString(), "--to", format, "-o", out.toString());
      long[] back = fib(out);
      assertThat(back[0]).as(format).isEqualTo(known[0]);
      assertThat(back[1]).as(format).isCloseTo(known[1], within(2L)); // ticks are no nanoseconds
    }
  }

  /** Calls of Known.fib, and nanoseconds in the outermost of them. */
  private static long[] fib(Path file) throws Exception {
    String row =
        kymo("report", "--csv", file.toString())
            .lines()
            .filter(line -> line.contains("Known.fib,"))
            .findFirst()
            .orElseThrow();
    String[] cells = row.split(",", -1);
    return new long[] {Long.parseLong(cells[5]), Long.parseLong(cells[6])};
  }

  @Test
  void whatIsNoTraceIsRefused() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("x.json"),
            CHROME.replace("\"pid\": 7, \"tid\": 8, \"name\"", "\"pid\": nothing, \"name\""));
    Kymo.Result result = Kymo.run("info", file.toString());
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("file=" + file).contains("offset=").doesNotContain("\tat ");
  }

  private static final String BUSY =
      """
      #include <stdlib.h>
      volatile unsigned sum;
      __attribute__((noinline)) void inner(unsigned n) { for (unsigned i = 0; i < n; i++) sum += i; }
      __attribute__((noinline)) void outer(unsigned n) { inner(n); sum++; }
      int main(int count, char **words) { for (int i = 0; i < 100; i++) outer(4000000); return 0; }
      """;

  /** However many addresses of a function perf saw, it is one function, as for perf itself. */
  @Test
  void samplesOfNativeCodeAreOfItsFunctions() throws Exception {
    Path program = folder.resolve("busy");
    Files.writeString(folder.resolve("busy.c"), BUSY);
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "skipped: gcc is not installed");
    assertThat(Kymo.exec(folder, "gcc", "-O1", "-o", program.toString(), "busy.c").exit()).isZero();
    String data = folder.resolve("perf.data").toString();
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/perf"))
            && Kymo.exec(
                        folder,
                        "perf",
                        "record",
                        "-q",
                        "-e",
                        "cpu-clock",
                        "-F",
                        "499",
                        "-g",
                        "-o",
                        data,
                        program.toString())
                    .exit()
                == 0,
        "skipped: perf is not installed or may not record");
    String text = Kymo.exec(folder, "perf", "script", "-i", data, "-F", "ip,sym").out();
    long inner = text.strip().lines().filter(line -> line.strip().endsWith(" inner")).count();
    List<String> rows = kymo("report", data, "--samples", "--csv").lines().toList();
    assertThat(rows.stream().filter(row -> row.contains("busy.inner")))
        .singleElement()
        .asString()
        .contains("," + inner + ",");
    assertThat(rows).noneMatch(row -> row.contains("busy.0x") || row.contains("inner+0x"));
  }
}
