package dev.kymo.analysis.events;

import java.util.BitSet;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which events a list is to have.
 *
 * @param groups those of these groups
 * @param methods and of these methods, states and kinds of events; null = of all
 * @param names and of the kernel's events those with such names; null = all
 */
public record EventChoice(
    Set<EventGroup> groups, @Nullable BitSet methods, @Nullable Predicate<String> names) {
  /** Everything. */
  public static final EventChoice ALL =
      new EventChoice(EnumSet.allOf(EventGroup.class), null, null);

  boolean has(EventGroup group) {
    return groups.contains(group);
  }

  boolean has(EventGroup group, int method) {
    return groups.contains(group) && (methods == null || methods.get(method));
  }

  boolean hasAny(EventGroup... some) {
    for (EventGroup group : some) {
      if (groups.contains(group)) {
        return true;
      }
    }
    return false;
  }
}
