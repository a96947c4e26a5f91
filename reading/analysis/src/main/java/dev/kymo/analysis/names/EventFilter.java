package dev.kymo.analysis.names;

import dev.kymo.model.definitions.TracedMethod;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Events that somebody asks for, by patterns in which {@code *} stands for anything. A pattern is
 * met by a whole name, or by what the name is in: a subsystem, a class, a kind of waiting.
 */
public final class EventFilter {
  private static final byte WANTED = 1;
  private static final byte UNWANTED = 2;

  private final List<NameGlob> patterns;
  private final BitSet met = new BitSet();

  /** By number of a method or event: {@link #WANTED} or {@link #UNWANTED}. */
  private byte[] known = new byte[256];

  /** What was known about: while a recording grows, methods get better names. */
  private @Nullable TracedMethod[] asked = new TracedMethod[known.length];

  /** A filter that lets through what meets any of these; everything if there are none. */
  public EventFilter(List<String> patterns) {
    this.patterns = patterns.stream().map(NameGlob::new).toList();
  }

  /** Whether everything is let through. */
  public boolean isAll() {
    return patterns.isEmpty();
  }

  /** Whether what has to do with a method, state or event of a program's own is asked for. */
  public boolean test(TracedMethod method) {
    if (isAll()) {
      return true;
    }
    int number = method.id();
    if (number >= known.length) {
      known = Arrays.copyOf(known, Math.max(number + 1, known.length * 2));
      asked = Arrays.copyOf(asked, known.length);
    }
    if (!isSame(asked[number], method)) {
      asked[number] = method;
      String type = method.type();
      boolean wanted = test(type, method.qualifiedName(), type + ' ' + method.name());
      known[number] = wanted ? WANTED : UNWANTED;
    }
    return known[number] == WANTED;
  }

  @SuppressWarnings("ReferenceEquality") // a definition makes a new one
  private static boolean isSame(@Nullable TracedMethod before, TracedMethod method) {
    return before == method;
  }

  /** Whether something that has any of these names is asked for. */
  public boolean test(String... names) {
    boolean wanted = isAll();
    for (int i = 0; i < patterns.size(); i++) {
      if (Arrays.stream(names).anyMatch(patterns.get(i))) {
        met.set(i);
        wanted = true;
      }
    }
    return wanted;
  }

  /** Patterns that nothing has met so far. */
  public List<String> unmet() {
    return IntStream.range(0, patterns.size())
        .filter(i -> !met.get(i))
        .mapToObj(i -> patterns.get(i).toString())
        .toList();
  }
}
