package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.NameKeys;
import dev.kymo.analysis.difference.paths.RecordedPaths;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Difference of the recordings of one side from those of another. */
public final class Difference {
  /** Nodes of all recordings together. */
  private static final int MOST_NODES = 200_000;

  private static final int FEWEST_NODES = 5_000;

  private final NameKeys names = new NameKeys();
  private final Set<Integer> counted = new HashSet<>();
  private final Predicate<String> watched;
  private List<RecordedPaths> base = List.of();
  private List<RecordedPaths> fresh = List.of();
  private List<AlignedRole> roles = List.of();
  private Drift drift = new Drift(0, 1, 0, List.of());
  private List<Finding> findings = List.of();
  private double margin;

  private Difference(Predicate<String> watched) {
    this.watched = watched;
  }

  /**
   * Reads the events of opened passes, of both sides at the same time. What the listener throws
   * ends it.
   *
   * @param base one or more
   * @param fresh one or more
   */
  public static Difference of(
      List<CallPass> base, List<CallPass> fresh, ProgressListener progress) {
    return of(base, fresh, name -> false, progress);
  }

  /**
   * The same.
   *
   * @param watched names of methods of which each call's duration is asked for
   */
  public static Difference of(
      List<CallPass> base,
      List<CallPass> fresh,
      Predicate<String> watched,
      ProgressListener progress) {
    Difference difference = new Difference(watched);
    difference.read(base, fresh, progress);
    difference.roles = Roles.align(difference.base, difference.fresh);
    difference.find();
    return difference;
  }

  private void read(List<CallPass> before, List<CallPass> after, ProgressListener progress) {
    before.forEach(pass -> counted.addAll(RecordedPaths.counted(pass, names)));
    after.forEach(pass -> counted.addAll(RecordedPaths.counted(pass, names)));
    int nodes = Math.max(FEWEST_NODES, MOST_NODES / (before.size() + after.size()));
    SidesProgress both = new SidesProgress(progress);
    FutureTask<List<RecordedPaths>> task =
        new FutureTask<>(() -> read(before, nodes, both.of(Side.BASE)));
    Thread reader = Thread.ofPlatform().daemon().name("kymo-diff").start(task);
    try {
      fresh = read(after, nodes, both.of(Side.NEW));
      base = join(task);
    } catch (RuntimeException | Error e) {
      // Its files may be closed only when it reads no more.
      both.giveUp();
      awaitEnd(reader);
      throw e;
    }
  }

  private static void awaitEnd(Thread reader) {
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<RecordedPaths> read(List<CallPass> passes, int nodes, ProgressListener progress) {
    List<RecordedPaths> paths = new ArrayList<>();
    for (CallPass pass : passes) {
      paths.add(RecordedPaths.read(pass, names, counted, watched, nodes, progress));
    }
    return List.copyOf(paths);
  }

  private static <T> T join(FutureTask<T> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private boolean isLeftOut(int key) {
    return Stream.concat(base.stream(), fresh.stream()).anyMatch(r -> r.leftOut().contains(key));
  }

  private double length(Side side) {
    return recordings(side).stream().mapToLong(RecordedPaths::duration).max().orElse(0);
  }

  private void find() {
    List<MethodGroup> groups = new ArrayList<>();
    roles.stream()
        .filter(AlignedRole::isOnBothSides)
        .forEach(r -> groups.addAll(MethodGroup.of(r)));
    TimeChanges times = new TimeChanges(this::length);
    groups.forEach(times::add);
    drift = times.drift(base.size(), fresh.size());
    Map<MethodGroup, List<Part>> parts = new LinkedHashMap<>();
    groups.forEach(group -> parts.put(group, CallChanges.of(group)));
    times.judge(
        drift,
        base.size(),
        fresh.size(),
        (group, part) -> parts.computeIfAbsent(group, g -> new ArrayList<>()).add(part));
    List<Finding> all = new ArrayList<>();
    parts.forEach((group, some) -> {
      if (!some.isEmpty()) {
        all.add(finding(group, some));
      }
    });
    if (!roles.isEmpty()) {
      all.addAll(CountedChanges.of(roles, base.size(), fresh.size(), this::isLeftOut));
    }
    all.sort(Comparator.comparingDouble(Finding::size).reversed());
    margin = Judge.margin(drift, base.size(), fresh.size());
    findings = List.copyOf(all);
  }

  private static Finding finding(MethodGroup group, List<Part> parts) {
    parts.sort(Comparator.comparingDouble(Part::size).reversed());
    Part heaviest = parts.getFirst();
    AlignedNode caller = heaviest.node().parent();
    boolean ofCallee = heaviest.kind() == Part.Kind.CALLS || heaviest.kind() == Part.Kind.ORDER;
    AlignedNode where = ofCallee && caller != null ? caller : heaviest.node();
    return new Finding(group.role(), group.key(), where, List.copyOf(parts));
  }

  /** The recordings of a side, in the order in which they were given. */
  public List<RecordedPaths> recordings(Side side) {
    return side == Side.BASE ? base : fresh;
  }

  public List<AlignedRole> roles() {
    return roles;
  }

  public Drift drift() {
    return drift;
  }

  /**
   * Times of runs that differ by no more than this factor may be of the same program; 1 if there
   * are enough recordings to know how much they differ.
   */
  public double margin() {
    return Math.exp(margin);
  }

  /** Everything that differs, the heaviest first, certain or not. */
  public List<Finding> findings() {
    return findings;
  }

  /** The name of a method or state. */
  public String name(int key) {
    return key < 0 ? "" : names.name(key);
  }

  /** Keys of the methods that were only counted in some of the recordings for some of the time. */
  public Set<Integer> counted() {
    return counted;
  }
}
