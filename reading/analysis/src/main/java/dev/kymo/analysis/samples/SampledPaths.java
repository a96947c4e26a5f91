package dev.kymo.analysis.samples;

import dev.kymo.analysis.tree.CallTree;
import dev.kymo.analysis.whole.PathCollector;
import dev.kymo.analysis.whole.PathNodes;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.definitions.TracedMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Sums up samples by path of callers. A stack stands for its path and has its caller's number, so
 * that each stack is looked at once, however many frames and samples it has. There can be millions
 * of stacks: each takes twelve bytes here, and only the largest become nodes.
 */
final class SampledPaths {
  private final SampledStacks stacks;
  private final boolean weighed;
  private final Map<Integer, Sums> processes = new TreeMap<>();
  private final PathNodes nodes = new PathNodes();

  /** By node: that of its caller, which has a smaller number; 0 = none. */
  private int[] parents = new int[1024];

  /** Of a node and a method that it called, the node of that. */
  private final Map<Long, Integer> children = new HashMap<>();

  private int roots;
  private long unknown;

  /** The samples of a process, and by the place of each stack what those in and below it weigh. */
  private static final class Sums {
    final SampledStacks.Stacks of;
    final List<SampleCounts> counts = new ArrayList<>();
    final long[] total;

    Sums(SampledStacks.Stacks of) {
      this.of = of;
      this.total = new long[of.count()];
    }

    /** A caller comes before those it called. */
    void addUp() {
      for (int place = total.length - 1; place >= 0; place--) {
        int caller = total[place] == 0 ? -1 : of.caller(place);
        if (caller >= 0) {
          total[caller] = SampleCounts.sum(total[caller], total[place]);
        }
      }
    }
  }

  /** Without samples yet; {@code weighed} is whether each counts with its weight. */
  SampledPaths(SampledStacks stacks, boolean weighed) {
    this.stacks = stacks;
    this.weighed = weighed;
  }

  /** Adds samples of a process. */
  void add(int process, SampleCounts counts) {
    Sums sums = processes.computeIfAbsent(process, none -> new Sums(stacks.of(process)));
    sums.counts.add(counts);
    unknown += counts.unknown();
    counts.forEach((stack, many, weight) -> {
      int place = sums.of.place(stack);
      if (place < 0) {
        unknown += many;
      } else {
        sums.total[place] = SampleCounts.sum(sums.total[place], weighed ? weight : many);
      }
    });
  }

  /** Samples without a path, once the tree was made. */
  long unknown() {
    return unknown;
  }

  /** The tree of all samples, once; {@code up}: from the methods that were seen running. */
  CallTree tree(boolean up) {
    processes.values().forEach(Sums::addUp);
    long least = least();
    processes.forEach((process, sums) -> addNodes(process, sums, least));
    if (!up) {
      for (int node = nodes.end() - 1; node > 0; node--) {
        nodes.calls[parents[node]] += nodes.calls[node];
      }
    }
    return CallTree.of(nodes, roots, atLeast(1) - atLeast(least), up);
  }

  /** The total that is needed for a node: there are not too many of them. */
  private long least() {
    if (atLeast(1) <= PathCollector.MAX_NODES) {
      return 1;
    }
    long low = 2;
    long high =
        1 + processes.values().stream().flatMapToLong(s -> LongStream.of(s.total)).max().orElse(1);
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (atLeast(middle) <= PathCollector.MAX_NODES) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** How many stacks have such a total. */
  private long atLeast(long least) {
    long count = 0;
    for (Sums sums : processes.values()) {
      for (long total : sums.total) {
        count += total >= least ? 1 : 0;
      }
    }
    return count;
  }

  private void addNodes(int process, Sums sums, long least) {
    // By place: its node; -node = that of a caller, because it is left out; 0 = neither.
    int[] nodeOf = new int[sums.total.length];
    for (int place = 0; place < nodeOf.length; place++) {
      if (sums.total[place] > 0) {
        int caller = sums.of.caller(place);
        int above = caller < 0 ? 0 : nodeOf[caller];
        nodeOf[place] =
            sums.total[place] >= least ? node(process, sums, place, above) : -Math.abs(above);
      }
    }
    for (SampleCounts counts : sums.counts) {
      counts.forEach((stack, many, weight) -> {
        int place = sums.of.place(stack);
        int node = place < 0 ? 0 : nodeOf[place];
        if (node != 0) {
          nodes.count(Math.abs(node), many, 0, node < 0 ? 0 : weighed ? weight : many);
        } else if (place >= 0 && sums.total[place] >= least) {
          unknown += many;
        }
      });
    }
  }

  /** The node of a stack; that of its caller if the method is not known. */
  private int node(int process, Sums sums, int place, int above) {
    Optional<TracedMethod> method = stacks.method(process, sums.of, place);
    if (method.isEmpty()) {
      return above;
    }
    int node = child(above, method.get().id());
    nodes.count(node, 0, sums.total[place], 0);
    return node;
  }

  private int child(int parent, int method) {
    return children.computeIfAbsent(
        (long) parent << 32 | method,
        none -> {
          int list = parent == 0 ? roots : nodes.child[parent];
          int made = nodes.add(list, method);
          if (parent == 0) {
            roots = made;
          } else {
            nodes.child[parent] = made;
          }
          if (made >= parents.length) {
            parents = Arrays.copyOf(parents, 2 * made);
          }
          parents[made] = parent;
          return made;
        });
  }
}
