package dev.kymo.analysis.samples;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** A method called by a path of callers, with its samples; its children are what it called. */
public final class SampleNode {
  private final int method;
  private final Map<Integer, SampleNode> children = new LinkedHashMap<>();
  private long own;
  private long total;

  SampleNode(int method) {
    this.method = method;
  }

  /** Number of the method in the recording; negative for the root of all. */
  public int method() {
    return method;
  }

  /** Samples that were taken in the method itself. */
  public long own() {
    return own;
  }

  /** Samples that were taken in it, or in what it called. */
  public long total() {
    return total;
  }

  /** What it called. */
  public Collection<SampleNode> children() {
    return children.values();
  }

  SampleNode child(int called) {
    return children.computeIfAbsent(called, SampleNode::new);
  }

  void add(long samples, boolean innermost) {
    total += samples;
    own += innermost ? samples : 0;
  }
}
