package dev.kymo.agent;

import dev.kymo.recorder.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which classes and methods are recorded. By default the program's own: not the JDK's, not those of
 * recorders. With include patterns exactly what they name, of the JDK too, except its base module,
 * on which the recorder itself stands.
 */
final class Selection {
  /** What the JDK makes for reflection, before Java 22, is in class loaders of its own. */
  private static final String REFLECTION = "jdk.internal.reflect.";

  private final List<Pattern> include;
  private final List<Pattern> exclude;
  private final int minSize;

  Selection(Session session) {
    this.include = session.include().stream().map(Pattern::of).toList();
    this.exclude = session.exclude().stream().map(Pattern::of).toList();
    this.minSize = session.minSize();
  }

  /**
   * Whether methods of a class may be recorded.
   *
   * @param className with dots
   */
  boolean isSelected(Module module, @Nullable ClassLoader loader, String className) {
    if (className.startsWith("dev.kymo.agent.")
        || className.startsWith("dev.kymo.api.")
        || className.startsWith("dev.kymo.recorder.")
        || className.startsWith("dev.kymo.format.")
        || className.startsWith("java.")
        || module == Object.class.getModule()) {
      return false;
    }
    if (include.isEmpty()) {
      if (loader == null || isJdk(module) || className.startsWith(REFLECTION)) {
        return false;
      }
    } else if (include.stream().noneMatch(p -> p.matchesType(className))) {
      return false;
    }
    return exclude.stream().noneMatch(p -> p.matchesWholeType(className));
  }

  /** Whether a method of a selected class is to be recorded. */
  boolean isSelected(String className, MethodFacts method) {
    boolean small = method.size() < minSize && !method.hasCalls() && !method.hasLoops();
    return !small
        && (include.isEmpty()
            || include.stream().anyMatch(p -> p.matches(className, method.name())))
        && exclude.stream().noneMatch(p -> p.matches(className, method.name()));
  }

  private static boolean isJdk(Module module) {
    String name = module.getName();
    return name != null && (name.startsWith("java.") || name.startsWith("jdk."));
  }

  /**
   * {@code class}, or {@code class#method}; {@code *} within a name, {@code **} across packages.
   */
  private record Pattern(java.util.regex.Pattern type, java.util.regex.@Nullable Pattern method) {
    static Pattern of(String text) {
      int hash = text.indexOf('#');
      String type = hash < 0 ? text : text.substring(0, hash);
      // A plain name also stands for what lies in it: packages, nested classes.
      String inside = type.endsWith("*") ? "" : "([.$].*)?";
      return new Pattern(
          java.util.regex.Pattern.compile(regex(type) + inside),
          hash < 0 ? null : java.util.regex.Pattern.compile(regex(text.substring(hash + 1))));
    }

    boolean matchesType(String className) {
      return type.matcher(className).matches();
    }

    boolean matchesWholeType(String className) {
      return method == null && matchesType(className);
    }

    boolean matches(String className, String methodName) {
      return matchesType(className) && (method == null || method.matcher(methodName).matches());
    }

    private static String regex(String glob) {
      StringBuilder regex = new StringBuilder();
      for (int i = 0; i < glob.length(); i++) {
        char c = glob.charAt(i);
        if (c != '*') {
          regex.append(java.util.regex.Pattern.quote(String.valueOf(c)));
        } else if (i + 1 < glob.length() && glob.charAt(i + 1) == '*') {
          regex.append(".*");
          i++;
        } else {
          regex.append("[^.]*");
        }
      }
      return regex.toString();
    }
  }
}
