package dev.kymo.analysis.samples;

import dev.kymo.analysis.tree.CallTree;
import dev.kymo.analysis.whole.PathCollector;
import dev.kymo.analysis.whole.PathNodes;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.definitions.TracedMethod;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Sums up samples by path of callers. A stack stands for its path and has its caller's number, so
 * that each stack is looked at once, however many frames and samples it has.
 */
final class SampledPaths {
  private final SampledStacks stacks;
  private final boolean weighed;
  private final Map<Integer, Sums> processes = new TreeMap<>();
  private final PathNodes nodes = new PathNodes();

  /** Of a node and a method that it called, the node of that. */
  private final Map<Long, Integer> children = new HashMap<>();

  private int roots;
  private long unknown;

  /** Sums of a process, by the places of its stacks. */
  private static final class Sums {
    final SampledStacks.Stacks of;
    final long[] samples;
    final long[] own;
    long[] total = {};

    Sums(SampledStacks.Stacks of) {
      this.of = of;
      this.samples = new long[of.count()];
      this.own = new long[of.count()];
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
    unknown += counts.unknown();
    counts.forEach((stack, many, weight) -> {
      int place = sums.of.place(stack);
      if (place < 0) {
        unknown += many;
      } else {
        sums.samples[place] += many;
        sums.own[place] = SampleCounts.sum(sums.own[place], weighed ? weight : many);
      }
    });
  }

  /** Samples without a path, once the tree was made. */
  long unknown() {
    return unknown;
  }

  /** The tree of all samples; {@code up}: from the methods that were seen running. */
  CallTree tree(boolean up) {
    processes.values().forEach(SampledPaths::addUp);
    long[] totals =
        processes.values().stream()
            .flatMapToLong(sums -> LongStream.of(sums.total))
            .filter(total -> total > 0)
            .toArray();
    long least = least(totals);
    long kept = LongStream.of(totals).filter(total -> total >= least).count();
    processes.forEach((process, sums) -> addNodes(process, sums, least, up));
    return CallTree.of(nodes, roots, totals.length - kept, up);
  }

  /** A caller comes before those it called. */
  private static void addUp(Sums sums) {
    sums.total = sums.own.clone();
    for (int place = sums.total.length - 1; place >= 0; place--) {
      int caller = sums.total[place] == 0 ? -1 : sums.of.caller(place);
      if (caller >= 0) {
        sums.total[caller] = SampleCounts.sum(sums.total[caller], sums.total[place]);
      }
    }
  }

  /** The total that is needed for a node: there are not too many of them. */
  private static long least(long[] totals) {
    if (totals.length <= PathCollector.MAX_NODES) {
      return 1;
    }
    long[] sorted = totals.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - PathCollector.MAX_NODES - 1] + 1;
  }

  private void addNodes(int process, Sums sums, long least, boolean up) {
    long[] through = up ? sums.samples : throughStacks(sums);
    int[] node = new int[sums.total.length];
    for (int place = 0; place < node.length; place++) {
      if (sums.total[place] < least) {
        continue;
      }
      int caller = sums.of.caller(place);
      int parent = caller < 0 ? 0 : node[caller];
      Optional<TracedMethod> method = stacks.method(process, sums.of, place);
      if (method.isPresent()) {
        node[place] = child(parent, method.get().id());
        nodes.count(node[place], through[place], sums.total[place], sums.own[place]);
      } else if (parent != 0) { // the sample counts for the method that is known
        node[place] = parent;
        nodes.count(parent, up ? sums.samples[place] : 0, 0, sums.own[place]);
      } else {
        unknown += sums.samples[place];
      }
    }
  }

  /** By place: samples that were taken in a stack, or in what it called. */
  private static long[] throughStacks(Sums sums) {
    long[] through = sums.samples.clone();
    for (int place = through.length - 1; place >= 0; place--) {
      int caller = through[place] == 0 ? -1 : sums.of.caller(place);
      if (caller >= 0) {
        through[caller] += through[place];
      }
    }
    return through;
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
          return made;
        });
  }
}
