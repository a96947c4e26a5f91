package dev.kymo.analysis.difference.paths;

import dev.kymo.analysis.costs.Durations;
import java.util.HashMap;
import java.util.Map;

/** Calls of the threads of one role in one recording. */
public final class RolePaths {
  private final ThreadRole role;
  private final PathNode root = new PathNode(null, -1, 0);
  private final Map<Integer, Counted> counted = new HashMap<>();
  private final Map<Integer, Durations> watched = new HashMap<>();
  int threads;
  boolean lossy;

  RolePaths(ThreadRole role) {
    this.role = role;
  }

  /** A method whose calls are compared all together, since in one of the recordings they were. */
  public static final class Counted {
    long calls;
    double self;
    double error;
    boolean atLeast;

    Counted() {}

    public long calls() {
      return calls;
    }

    /** Nanoseconds, without what probes took. */
    public double self() {
      return self;
    }

    /** The time is within this of the truth, in 95 of 100 cases. */
    public double error() {
      return error;
    }

    /** Whether there may have been more. */
    public boolean isAtLeast() {
      return atLeast;
    }
  }

  Counted counted(int key) {
    return counted.computeIfAbsent(key, k -> new Counted());
  }

  Durations watched(int key) {
    return watched.computeIfAbsent(key, k -> new Durations());
  }

  /** How long all calls of some methods took, with what they called and with probes; by key. */
  public Map<Integer, Durations> watched() {
    return watched;
  }

  public ThreadRole role() {
    return role;
  }

  /** Stands for the threads; its children are the outermost calls. */
  public PathNode root() {
    return root;
  }

  /** Of methods that are not in the tree, by key. */
  public Map<Integer, Counted> counted() {
    return counted;
  }

  public int threads() {
    return threads;
  }

  public boolean isLossy() {
    return lossy;
  }
}
