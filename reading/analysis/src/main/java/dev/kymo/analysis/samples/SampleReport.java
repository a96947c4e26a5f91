package dev.kymo.analysis.samples;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.reader.EventBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** How often threads were seen in each method, by kind of sample. */
public final class SampleReport {
  private final CallPass pass;
  private final SampledStacks stacks;

  /** By kind of sample and process. */
  private final Map<String, Map<Integer, SampleCounts>> counts = new TreeMap<>();

  /**
   * A method.
   *
   * @param own samples that were taken in it
   * @param total samples that were taken in it or in what it called; each sample counts once
   */
  public record Row(TracedMethod method, long own, long total) {}

  /**
   * A kind of samples.
   *
   * @param name of the event
   * @param samples all of them
   * @param unknown of them have no stack
   * @param rows by own samples, the most first
   */
  public record Kind(String name, long samples, long unknown, List<Row> rows) {}

  private static final class Sums {
    long own;
    long total;
  }

  private SampleReport(CallPass pass) {
    this.pass = pass;
    this.stacks = pass.definitions().stacks();
  }

  /**
   * Reads the samples of an opened pass.
   *
   * @param from nanoseconds since the recording's begin
   * @param to nanoseconds since the recording's begin
   * @param wanted threads
   */
  public static SampleReport of(
      CallPass pass, long from, long to, Predicate<ThreadCalls> wanted, ProgressListener progress) {
    SampleReport report = new SampleReport(pass);
    pass.run(report.new Sink(from, to), wanted, progress);
    return report;
  }

  private final class Sink implements CallSink {
    private final NanoClock clock = pass.nanoClock();
    private final long from;
    private final long to;

    Sink(long from, long to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void call(CallCursor call) {}

    @Override
    public void event(ThreadCalls thread, int number, long at, EventBatch batch, int word) {
      TracedEvent event = pass.definitions().event(number);
      if (event.isSample() && clock.nanos(at) >= from && clock.nanos(at) <= to) {
        counts
            .computeIfAbsent(event.definition().name(), none -> new TreeMap<>())
            .computeIfAbsent(event.process(), none -> new SampleCounts())
            .add(event.stack(batch, word));
      }
    }
  }

  /** The kinds of samples, those with the most samples first. */
  public List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    counts.forEach((name, processes) -> kinds.add(kind(name, processes)));
    kinds.sort(Comparator.comparingLong(kind -> -kind.samples));
    return kinds;
  }

  private Kind kind(String name, Map<Integer, SampleCounts> processes) {
    Map<Integer, Sums> sums = new HashMap<>();
    Map<Integer, TracedMethod> methods = new HashMap<>();
    long[] samples = new long[2]; // those with and without a stack
    processes.forEach((process, of) -> {
      samples[1] += of.unknown();
      of.forEach((stack, many) -> {
        samples[stacks.method(process, stack).isPresent() ? 0 : 1] += many;
        add(process, stack, many, sums, methods);
      });
    });
    List<Row> rows = new ArrayList<>();
    sums.forEach((method, sum) -> {
      TracedMethod of = methods.get(method);
      if (of != null) {
        rows.add(new Row(of, sum.own, sum.total));
      }
    });
    rows.sort(
        Comparator.comparingLong(Row::own)
            .thenComparingLong(Row::total)
            .reversed()
            .thenComparing(row -> row.method.qualifiedName())
            .thenComparingInt(row -> row.method.id()));
    return new Kind(name, samples[0] + samples[1], samples[1], rows);
  }

  /** Adds the samples of a stack; a method that called itself has them once. */
  private void add(
      int process,
      int stack,
      long many,
      Map<Integer, Sums> sums,
      Map<Integer, TracedMethod> methods) {
    Set<Integer> seen = new HashSet<>();
    boolean innermost = true;
    for (int frame = stack; frame > 0; frame = stacks.caller(process, frame)) {
      TracedMethod method = stacks.method(process, frame).orElse(null);
      if (method != null) {
        methods.put(method.id(), method);
        Sums sum = sums.computeIfAbsent(method.id(), none -> new Sums());
        sum.own += innermost ? many : 0;
        sum.total += seen.add(method.id()) ? many : 0;
        innermost = false;
      }
    }
  }

  /** The tree of who called whom in the samples of a kind; the root is no method. */
  public SampleNode tree(String kind) {
    SampleNode root = new SampleNode(-1);
    counts
        .getOrDefault(kind, Map.of())
        .forEach((process, of) -> of.forEach((stack, many) -> addPath(root, process, stack, many)));
    return root;
  }

  private void addPath(SampleNode root, int process, int stack, long many) {
    List<Integer> path = new ArrayList<>();
    for (int frame = stack; frame > 0; frame = stacks.caller(process, frame)) {
      stacks.method(process, frame).ifPresent(method -> path.add(method.id()));
    }
    root.add(many, path.isEmpty());
    SampleNode node = root;
    for (int i = path.size() - 1; i >= 0; i--) {
      node = node.child(path.get(i));
      node.add(many, i == 0);
    }
  }
}
