package dev.kymo.analysis.difference;

import java.util.List;

/**
 * Difference of the calls of one method on threads of one role, apart from what differs in what
 * they call.
 *
 * @param key of the method; -1 = what the threads call outermost
 * @param where of its places the one with most of the difference
 * @param parts the heaviest first
 */
public record Finding(AlignedRole role, int key, AlignedNode where, List<Part> parts) {
  /** Nanoseconds that a recording of the new side took longer for it. */
  public double weight() {
    return parts.stream().mapToDouble(part -> part.weight().value()).sum();
  }

  /** Its parts' weights, whatever their direction. */
  public double size() {
    return parts.stream().mapToDouble(Part::size).sum();
  }

  /** How many paths to the method have a part in it. */
  public int places() {
    return parts.stream().mapToInt(Part::places).max().orElse(0);
  }

  Finding with(List<Part> some) {
    return new Finding(role, key, where, some);
  }
}
