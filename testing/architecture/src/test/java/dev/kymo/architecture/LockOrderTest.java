package dev.kymo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The order of docs/design/locks.md: a thread that holds a lock of what runs in recorded programs
 * takes only locks that stand below it. So no two threads ever wait for each other.
 */
class LockOrderTest {
  private static final Path PAGE = SourceTree.path("docs/design/locks.md");
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| ([^|]+) \\| .*\\|");
  private static final Set<String> ROOMS =
      Set.of(
          "format/format",
          "format/writer",
          "recording/recorder",
          "recording/agent",
          "recording/api",
          "integrations/embedded",
          "recording/drain",
          "optional/spark");

  private static LockGraph graph;
  private static Map<String, String> table;
  private static List<String> order;

  @BeforeAll
  static void read() throws Exception {
    graph = new LockGraph(ClassFiles.of(ROOMS));
    table = new TreeMap<>();
    order = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        order.add(row.group(1));
        table.put(row.group(1), row.group(2).strip());
      }
    }
  }

  @Test
  void eachLockIsInTheTable() {
    assertThat(order).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(graph.locks());
  }

  @Test
  void locksAreTakenInTheirOrder() {
    assertThat(graph.takings()).isNotEmpty();
    assertThat(graph.takings()).filteredOn(taking -> !isInOrder(taking)).isEmpty();
  }

  /** A monitor may be taken again: of each of these classes there is one object. */
  private static boolean isInOrder(LockGraph.Taking taking) {
    boolean again = taking.taken().equals(taking.held()) && !taking.taken().endsWith(".lock");
    return again || order.indexOf(taking.held()) < order.indexOf(taking.taken());
  }

  @Test
  void locksOfTheLibraryInCAreInTheTable() throws Exception {
    String header = Files.readString(SourceTree.path("recording/native/src/base/guest.h"));
    String ranks = header.replaceFirst("(?s).*enum rank \\{(.*?)}.*", "$1");
    List<String> rows = new ArrayList<>();
    Pattern.compile("\\| \\d+ \\| `(\\w+)` \\|")
        .matcher(Files.readString(PAGE))
        .results()
        .forEach(row -> rows.add(row.group(1)));
    assertThat(rows).hasSizeGreaterThan(5).containsExactly(ranks.strip().split(",\\s*"));
  }

  @Test
  void whatIsWaitedForWhileTheyAreHeldIsSaid() {
    Map<String, String> found = new TreeMap<>();
    for (String lock : graph.locks()) {
      Set<String> waits = graph.waits(lock);
      found.put(lock, waits.isEmpty() ? "nothing" : String.join(", ", waits));
    }
    assertThat(table).isEqualTo(found);
  }
}
