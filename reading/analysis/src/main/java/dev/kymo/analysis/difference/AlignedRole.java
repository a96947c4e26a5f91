package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.PathNode;
import dev.kymo.analysis.difference.paths.RolePaths;
import dev.kymo.analysis.difference.paths.ThreadRole;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do the same on both sides, or are there on one only.
 *
 * @param base by recording; null = it has none
 * @param fresh by recording of the new side
 * @param tree of their calls
 */
public record AlignedRole(
    List<@Nullable RolePaths> base, List<@Nullable RolePaths> fresh, AlignedNode tree) {
  static AlignedRole of(List<@Nullable RolePaths> base, List<@Nullable RolePaths> fresh) {
    return new AlignedRole(base, fresh, AlignedNode.of(roots(base), roots(fresh)));
  }

  private static @Nullable PathNode[] roots(List<@Nullable RolePaths> of) {
    @Nullable PathNode[] roots = new PathNode[of.size()];
    for (int i = 0; i < roots.length; i++) {
      RolePaths role = of.get(i);
      roots[i] = role == null ? null : role.root();
    }
    return roots;
  }

  public List<@Nullable RolePaths> side(Side side) {
    return side == Side.BASE ? base : fresh;
  }

  /** The role on a side; null = no recording of it has one. */
  public @Nullable ThreadRole role(Side side) {
    return side(side).stream()
        .filter(Objects::nonNull)
        .map(RolePaths::role)
        .findFirst()
        .orElse(null);
  }

  /** What it is called: on the new side, if it is there. */
  public String name() {
    ThreadRole fresh = role(Side.NEW);
    ThreadRole base = role(Side.BASE);
    return fresh != null ? fresh.text() : base != null ? base.text() : "";
  }

  /** Whether the threads have another name than before. */
  public boolean isRenamed() {
    ThreadRole before = role(Side.BASE);
    ThreadRole after = role(Side.NEW);
    return before != null && after != null && !before.equals(after);
  }

  public boolean isOnBothSides() {
    return role(Side.BASE) != null && role(Side.NEW) != null;
  }

  /** Threads of the recordings of a side, together. */
  public long threads(Side side) {
    return side(side).stream().filter(Objects::nonNull).mapToLong(RolePaths::threads).sum();
  }

  public boolean isLossy() {
    return Stream.concat(base.stream(), fresh.stream())
        .anyMatch(role -> role != null && role.isLossy());
  }
}
