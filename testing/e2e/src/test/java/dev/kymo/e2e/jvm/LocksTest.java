package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is reported of the locks of a program that itself records what it does with them. */
class LocksTest {
  private static final Path SOURCE = Path.of("src/native/locks.c").toAbsolutePath();
  private static final long LEAST = 20_000_000 - 100_000;

  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    program = NativePrograms.compile(SOURCE, folder.resolve("locks"), NativePrograms.shared());
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private String report(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("report", "--locks"));
    all.addAll(List.of(options));
    all.add(folder.resolve("locks.kymo").toString());
    Kymo.Result result = Kymo.run(all.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    return result.out();
  }

  private void record(String... arguments) throws Exception {
    String recording = folder.resolve("locks.kymo").toString();
    List<String> all =
        new ArrayList<>(List.of("record", "-q", "--clock", "monotonic", "--when-full", "block"));
    all.addAll(List.of("-o", recording, "--", program.toString()));
    all.addAll(List.of(arguments));
    assertThat(Kymo.run(all.toArray(String[]::new))).isEqualTo(new Kymo.Result(0, "", ""));
  }

  /** The columns by object; without a name it is the kind. */
  private Map<String, Map<String, String>> rows() throws Exception {
    List<String> lines = report("--csv").lines().toList();
    String[] columns = lines.getFirst().split(",", -1);
    Map<String, Map<String, String>> rows = new TreeMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      assertThat(cells).hasSameSizeAs(columns);
      Map<String, String> row = new TreeMap<>();
      for (int i = 0; i < columns.length; i++) {
        row.put(columns[i], cells[i]);
      }
      rows.put(cells[2].isEmpty() ? cells[1] : cells[0], row);
    }
    return rows;
  }

  private static Map<String, String> row(Map<String, Map<String, String>> rows, String object) {
    return rows.getOrDefault(object, Map.of());
  }

  private static long number(Map<String, String> row, String column) {
    return Long.parseLong(row.getOrDefault(column, ""));
  }

  private static Map<String, String> some(Map<String, String> row, String... columns) {
    Map<String, String> some = new TreeMap<>(row);
    some.keySet().retainAll(List.of(columns));
    return some;
  }

  @Test
  void oneThreadWaitsForAnother() throws Exception {
    record("contention");
    Map<String, String> row = row(rows(), "mutex queue");
    assertThat(some(row, "acquired", "contended", "failed", "threads", "longest_thread_name"))
        .hasToString("{acquired=2, contended=1, failed=1, longest_thread_name=waiter, threads=2}");
    assertThat(number(row, "waited_ns")).isGreaterThan(LEAST);
    assertThat(number(row, "held_max_ns")).isGreaterThan(LEAST);
    assertThat(report())
        .containsPattern(
            """
            waiter/\\d waited for mutex queue, held by holder/\\d since \\S+, woken by holder/\\d
             +waiter/\\d: steps.second
             +holder/\\d: steps.first
            """)
        .contains("no possible deadlocks");
  }

  @Test
  void allKindsAreCounted() throws Exception {
    record("kinds");
    Map<String, Map<String, String>> rows = rows();
    assertThat(rows.keySet()).containsExactly("mutex", "mutex again", "rwlock", "semaphore");
    String[] columns = {"acquired", "contended", "held_at_end"};
    assertThat(some(row(rows, "mutex again"), columns))
        .hasToString("{acquired=20, contended=0, held_at_end=0}");
    assertThat(some(row(rows, "rwlock"), columns))
        .hasToString("{acquired=4, contended=0, held_at_end=0}");
    assertThat(some(row(rows, "semaphore"), columns))
        .hasToString("{acquired=3, contended=0, held_at_end=0}");
    assertThat(some(row(rows, "mutex"), columns))
        .hasToString("{acquired=1, contended=0, held_at_end=1}");
  }

  @Test
  void aConditionIsWaitedForWithoutItsMutex() throws Exception {
    record("condition");
    Map<String, Map<String, String>> rows = rows();
    Map<String, String> condition = row(rows, "condition ready");
    assertThat(some(condition, "acquired", "contended")).hasToString("{acquired=1, contended=1}");
    assertThat(number(condition, "waited_ns")).isGreaterThan(LEAST);
    Map<String, String> mutex = row(rows, "mutex");
    assertThat(some(mutex, "acquired", "threads")).hasToString("{acquired=3, threads=2}");
    assertThat(report())
        .containsPattern("sleeper/\\d waited for condition ready, woken by locks/1\n");
  }

  @Test
  void anOrderThatCanDeadlock() throws Exception {
    record("cycle");
    assertThat(report())
        .containsPattern(
            """
            possible deadlock of 2 threads
              forward/\\d had mutex queue and took mutex log
                mutex queue at [0-9.]+: 0x[0-9a-f]+
                mutex log at [0-9.]+: 0x[0-9a-f]+
              backward/\\d had mutex log and took mutex queue
                mutex log at [0-9.]+: 0x[0-9a-f]+
                mutex queue at [0-9.]+: 0x[0-9a-f]+
            """);
  }

  @Test
  void manyThreadsWithTheirOwnAndACommonOne() throws Exception {
    record("many", "20000");
    List<String> lines = report("--csv").lines().skip(1).toList();
    assertThat(lines).hasSize(5);
    long acquired = lines.stream().mapToLong(line -> Long.parseLong(line.split(",", -1)[5])).sum();
    assertThat(acquired).isEqualTo(160_000);
    assertThat(report()).contains("no possible deadlocks");
  }
}
