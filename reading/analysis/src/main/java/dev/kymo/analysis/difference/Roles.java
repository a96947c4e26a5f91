package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.PathNode;
import dev.kymo.analysis.difference.paths.RecordedPaths;
import dev.kymo.analysis.difference.paths.RolePaths;
import dev.kymo.analysis.difference.paths.ThreadRole;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds threads that do the same: those of the same name or, if one side has none of that name,
 * those that call the same methods about as often.
 */
final class Roles {
  /** Share of their calls that threads of different names must have in common. */
  private static final double ALIKE = 0.6;

  /** Levels of the call tree that are looked at for that. */
  private static final int LEVELS = 6;

  private final List<RecordedPaths> base;
  private final List<RecordedPaths> fresh;

  private record Pair(ThreadRole base, ThreadRole fresh, double alike) {}

  private Roles(List<RecordedPaths> base, List<RecordedPaths> fresh) {
    this.base = base;
    this.fresh = fresh;
  }

  static List<AlignedRole> align(List<RecordedPaths> base, List<RecordedPaths> fresh) {
    return new Roles(base, fresh).align();
  }

  private List<AlignedRole> align() {
    Set<ThreadRole> before = roles(base);
    Set<ThreadRole> after = roles(fresh);
    Map<ThreadRole, ThreadRole> baseOf = new LinkedHashMap<>();
    for (ThreadRole role : after) {
      if (before.contains(role)) {
        baseOf.put(role, role);
      }
    }
    Set<ThreadRole> restBefore = new LinkedHashSet<>(before);
    restBefore.removeAll(baseOf.values());
    Set<ThreadRole> restAfter = new LinkedHashSet<>(after);
    restAfter.removeAll(baseOf.keySet());
    pair(restBefore, restAfter, baseOf);
    List<AlignedRole> aligned = new ArrayList<>();
    for (ThreadRole role : after) {
      aligned.add(AlignedRole.of(of(base, baseOf.get(role)), of(fresh, role)));
    }
    for (ThreadRole role : restBefore) {
      aligned.add(AlignedRole.of(of(base, role), of(fresh, null)));
    }
    return aligned;
  }

  private static Set<ThreadRole> roles(List<RecordedPaths> recordings) {
    Set<ThreadRole> roles = new LinkedHashSet<>();
    recordings.forEach(r -> r.roles().forEach(role -> roles.add(role.role())));
    return roles;
  }

  private static List<@Nullable RolePaths> of(
      List<RecordedPaths> recordings, @Nullable ThreadRole wanted) {
    List<@Nullable RolePaths> found = new ArrayList<>();
    for (RecordedPaths recording : recordings) {
      found.add(
          recording.roles().stream()
              .filter(role -> role.role().equals(wanted))
              .findFirst()
              .orElse(null));
    }
    return Collections.unmodifiableList(found);
  }

  /** Pairs those without a namesake, the most alike first; what is paired leaves the sets. */
  private void pair(
      Set<ThreadRole> before, Set<ThreadRole> after, Map<ThreadRole, ThreadRole> baseOf) {
    Map<ThreadRole, Map<Long, Long>> marksBefore = marks(base, before);
    Map<ThreadRole, Map<Long, Long>> marksAfter = marks(fresh, after);
    List<Pair> pairs = new ArrayList<>();
    marksBefore.forEach((one, marks) ->
        marksAfter.forEach((other, others) -> {
          double alike = alike(marks, others);
          if (alike >= ALIKE) {
            pairs.add(new Pair(one, other, alike));
          }
        }));
    pairs.sort((one, other) -> Double.compare(other.alike, one.alike));
    for (Pair pair : pairs) {
      if (before.contains(pair.base) && after.contains(pair.fresh)) {
        before.remove(pair.base);
        after.remove(pair.fresh);
        baseOf.put(pair.fresh, pair.base);
      }
    }
  }

  /** Calls by method and level, of each role. */
  private static Map<ThreadRole, Map<Long, Long>> marks(
      List<RecordedPaths> recordings, Set<ThreadRole> wanted) {
    Map<ThreadRole, Map<Long, Long>> marks = new LinkedHashMap<>();
    for (RecordedPaths recording : recordings) {
      for (RolePaths role : recording.roles()) {
        if (wanted.contains(role.role())) {
          add(marks.computeIfAbsent(role.role(), r -> new HashMap<>()), role.root());
        }
      }
    }
    return marks;
  }

  private static void add(Map<Long, Long> marks, PathNode root) {
    List<PathNode> level = root.children();
    for (int depth = 0; depth < LEVELS; depth++) {
      List<PathNode> next = new ArrayList<>();
      for (PathNode node : level) {
        marks.merge((long) depth << 32 | node.key(), node.calls(), Long::sum);
        next.addAll(node.children());
      }
      level = next;
    }
  }

  /** Common calls, as a share; each level counts by the logarithm, as inner ones have more. */
  private static double alike(Map<Long, Long> one, Map<Long, Long> other) {
    double common = 0;
    double all = 0;
    for (Map.Entry<Long, Long> mark : one.entrySet()) {
      long theirs = other.getOrDefault(mark.getKey(), 0L);
      common += Math.log1p((double) Math.min(mark.getValue(), theirs));
      all += Math.log1p((double) Math.max(mark.getValue(), theirs));
    }
    for (Map.Entry<Long, Long> mark : other.entrySet()) {
      all += one.containsKey(mark.getKey()) ? 0 : Math.log1p((double) mark.getValue());
    }
    return all == 0 ? 0 : common / all;
  }
}
