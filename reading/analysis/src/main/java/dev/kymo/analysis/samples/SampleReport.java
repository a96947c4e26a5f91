package dev.kymo.analysis.samples;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.SampledStacks;
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
import java.util.function.UnaryOperator;

/** How often threads were seen in each method, by kind of sample. */
public final class SampleReport {
  private final CallPass pass;
  private final SampledStacks stacks;

  private final SampleSums samples = new SampleSums(group -> true);

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
    return of(pass, from, to, wanted, UnaryOperator.identity(), progress);
  }

  /**
   * The same of some samples.
   *
   * @param through puts a choice of events before a sink
   */
  public static SampleReport of(
      CallPass pass,
      long from,
      long to,
      Predicate<ThreadCalls> wanted,
      UnaryOperator<CallSink> through,
      ProgressListener progress) {
    SampleReport report = new SampleReport(pass);
    pass.run(through.apply(report.new Sink(from, to)), wanted, progress);
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
      long time = clock.nanos(at);
      if (time >= from && time <= to) {
        samples.add(pass.definitions().event(number), batch, word);
      }
    }
  }

  /** The kinds of samples, those with the most samples first. */
  public List<Kind> kinds() {
    Map<String, List<Map.Entry<Integer, SampleCounts>>> byName = new TreeMap<>();
    samples.forEach((group, counts) ->
        byName
            .computeIfAbsent(group.kind(), none -> new ArrayList<>())
            .add(Map.entry(group.process(), counts)));
    List<Kind> kinds = new ArrayList<>();
    byName.forEach((name, processes) -> kinds.add(kind(name, processes)));
    kinds.sort(Comparator.comparingLong(kind -> -kind.samples));
    return kinds;
  }

  private Kind kind(String name, List<Map.Entry<Integer, SampleCounts>> processes) {
    Map<Integer, Sums> sums = new HashMap<>();
    Map<Integer, TracedMethod> methods = new HashMap<>();
    long[] seen = new long[2]; // samples with and without a stack
    processes.forEach(each -> {
      int process = each.getKey();
      seen[1] += each.getValue().unknown();
      each.getValue()
          .forEach((stack, many, weight) -> {
            seen[stacks.method(process, stack).isPresent() ? 0 : 1] += many;
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
    return new Kind(name, seen[0] + seen[1], seen[1], rows);
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
}
