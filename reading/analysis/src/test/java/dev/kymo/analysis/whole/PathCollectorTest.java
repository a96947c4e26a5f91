package dev.kymo.analysis.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.tree.CallTree;
import dev.kymo.analysis.tree.CalleeNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What several have collected is no less when it is one. */
class PathCollectorTest {
  private static final TimelineSelection ALL = new TimelineSelection(0, 1_000_000, List.of(0));

  /** More than there is room for at first. */
  private static final int MANY = 1100;

  private static PathCollector collector() {
    PathCollector collector = new PathCollector(ALL, PathCollector.MAX_NODES);
    collector.track(0);
    return collector;
  }

  /** Calls that were made by none, each of another method. */
  private static PathCollector flat(int methods) {
    PathCollector collector = collector();
    for (int method = 0; method < methods; method++) {
      collector.call(0, method, method, method + 1, 0);
    }
    return collector;
  }

  /** Calls of one method that called others that called others. */
  private static PathCollector nested(int children) {
    PathCollector collector = collector();
    for (int child = 0; child < children; child++) {
      long begin = child * 10L;
      collector.call(2, 1, begin, begin + 1, 0);
      collector.call(2, 2, begin + 1, begin + 2, 0);
      collector.call(1, child, begin, begin + 3, 0);
    }
    collector.call(0, MANY, 0, children * 10L, 0);
    return collector;
  }

  private static long calls(PathCollector paths) {
    CallTree tree = CallTree.of(CalleeNode.roots(paths), paths.leftOut(), CallTree.MAX_NODES);
    return tree.rows().stream().mapToLong(CallTree.Row::calls).sum();
  }

  @Test
  void mergedHasEveryCall() {
    for (int methods = 0; methods < MANY; methods++) {
      PathCollector merged = flat(methods);
      merged.merge(nested(20));
      assertThat(calls(merged)).as("%d methods before", methods).isEqualTo(methods + 61);
    }
  }
}
