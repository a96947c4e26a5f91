package dev.kymo.exporters.stacks;

import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSink;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.Selected;
import dev.kymo.format.Clock;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TrackKind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sums of calls by stack; of a call that reaches out of the range, the time inside counts. Its size
 * is that of the different stacks. Node 0 stands around all calls.
 */
final class StackTree implements ExportSink {
  private final Clock clock;
  private final long from;
  private final long to;
  private final IntUnaryOperator frames;
  private final Map<Long, Integer> children = new HashMap<>();
  private int[] parents = new int[64];
  private int[] frameOf = new int[64];

  /** Clock ticks. */
  private long[] selfs = new long[64];

  private long[] calls = new long[64];

  /** Of samples. */
  private long[] weights = new long[64];

  private int size = 1;
  private int current;

  /**
   * No calls yet.
   *
   * @param frames gives methods a number; methods with the same number are one
   */
  StackTree(ExportSource source, IntUnaryOperator frames) {
    NanoClock ticks = source.pass().nanoClock();
    Selected selected = source.selected();
    this.clock = source.pass().clock();
    this.from = selected.from() == 0 ? Long.MIN_VALUE : ticks.ticks(selected.from());
    this.to = selected.to() == Long.MAX_VALUE ? Long.MAX_VALUE : ticks.ticks(selected.to());
    this.frames = frames;
  }

  /** The tracks that have calls of threads, or those of processors if there is nothing else. */
  static List<ExportTrack> tracks(ExportSource source) {
    List<ExportTrack> calls = of(source, TrackKind.CALLS);
    return calls.isEmpty() ? of(source, TrackKind.CPU) : calls;
  }

  private static List<ExportTrack> of(ExportSource source, TrackKind kind) {
    return source.tracks().stream().filter(track -> track.kind() == kind).toList();
  }

  @Override
  public void begin(long time, int method, @Nullable EventData data) {
    current = child(current, method);
    calls[current]++;
  }

  private int child(int parent, int method) {
    int frame = frames.applyAsInt(method);
    return children.computeIfAbsent(((long) parent << 32) | frame, key -> add(parent, frame));
  }

  /**
   * Takes a sample in the place of a call.
   *
   * @param stack methods from the inside out
   */
  void sample(List<Integer> stack, long weight) {
    int node = 0;
    for (int i = stack.size() - 1; i >= 0; i--) {
      node = child(node, stack.get(i));
    }
    calls[node]++;
    weights[node] += weight;
  }

  private int add(int parent, int frame) {
    if (size == parents.length) {
      parents = Arrays.copyOf(parents, 2 * size);
      frameOf = Arrays.copyOf(frameOf, 2 * size);
      selfs = Arrays.copyOf(selfs, 2 * size);
      calls = Arrays.copyOf(calls, 2 * size);
      weights = Arrays.copyOf(weights, 2 * size);
    }
    parents[size] = parent;
    frameOf[size] = frame;
    return size++;
  }

  @Override
  public void end(EndedCall call) {
    long time = Math.min(call.endClock(), to) - Math.max(call.beginClock(), from);
    selfs[current] += time;
    current = parents[current];
    selfs[current] -= time;
  }

  /** How many nodes; those around others have smaller numbers. */
  int size() {
    return size;
  }

  int parent(int node) {
    return parents[node];
  }

  int frame(int node) {
    return frameOf[node];
  }

  /** Nanoseconds in the calls with this stack, without those that they made. */
  long self(int node) {
    return clock.nanos(selfs[node]);
  }

  /** How many calls, or samples, had this stack. */
  long calls(int node) {
    return calls[node];
  }

  /** What the samples with this stack weigh. */
  long weight(int node) {
    return weights[node];
  }

  /** Begins the next track. */
  void reset() {
    current = 0;
  }
}
