package dev.kymo.agent.weave;

import dev.kymo.recorder.Session;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which classes and methods are recorded. By default these are the program's own: not the
 * JDK's, not those of recorders. With include patterns they are exactly those that the patterns
 * name, including those of the JDK that {@link JdkClasses} allows.
 */
public final class Selection {
  /** Name of the class loaders for classes that the JDK makes for reflection, before Java 22. */
  private static final String REFLECTION = "jdk.internal.reflect.";

  private final List<Pattern> include;
  private final List<Pattern> exclude;
  private final int minSize;

  /** Classes that include patterns name, but that cannot be recorded. */
  private final Set<String> refused = new ConcurrentSkipListSet<>();

  public Selection(Session session) {
    this.include = session.methods().include().stream().map(Pattern::of).toList();
    this.exclude = session.methods().exclude().stream().map(Pattern::of).toList();
    this.minSize = session.methods().minSize();
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
        || className.startsWith("dev.kymo.format.")) {
      return false;
    }
    boolean base = module == Object.class.getModule() || className.startsWith("java.");
    if (include.isEmpty()) {
      if (base || loader == null || isJdk(module) || className.startsWith(REFLECTION)) {
        return false;
      }
    } else if (include.stream().noneMatch(p -> p.matchesType(className))) {
      return false;
    }
    if (exclude.stream().anyMatch(p -> p.matchesWholeType(className))) {
      return false;
    }
    if (base && !JdkClasses.canBeRecorded(className)) {
      refused.add(className);
      return false;
    }
    include.stream().filter(p -> p.matchesType(className)).forEach(Pattern::use);
    return true;
  }

  boolean hasIncludes() {
    return !include.isEmpty();
  }

  /** Classes that were selected but cannot be recorded, in order; each is returned once. */
  List<String> takeRefused() {
    List<String> taken = List.copyOf(refused);
    refused.removeAll(taken);
    return taken;
  }

  /** Include patterns that have not matched a class, or a method of one, so far. */
  List<String> unused() {
    return include.stream().filter(p -> !p.isUsed()).map(Pattern::text).toList();
  }

  boolean isSelected(String className, MethodFacts method) {
    boolean small = method.size() < minSize && !method.hasCalls() && !method.hasLoops();
    return isNamed(className, method.name()) && !small;
  }

  /** Whether the patterns select a method of a selected class, whatever its kind. */
  boolean isNamed(String className, String method) {
    List<Pattern> naming = include.stream().filter(p -> p.matches(className, method)).toList();
    naming.forEach(Pattern::useMethod);
    return (include.isEmpty() || !naming.isEmpty())
        && exclude.stream().noneMatch(p -> p.matches(className, method));
  }

  private static boolean isJdk(Module module) {
    String name = module.getName();
    return name != null && (name.startsWith("java.") || name.startsWith("jdk."));
  }

  /**
   * {@code class}, or {@code class#method}; {@code *} within a name, {@code **} across packages.
   */
  private static final class Pattern {
    private final String text;
    private final java.util.regex.Pattern type;
    private final java.util.regex.@Nullable Pattern method;
    private volatile boolean used;

    private Pattern(String text) {
      int hash = text.indexOf('#');
      String name = hash < 0 ? text : text.substring(0, hash);
      // A plain name also stands for its contents: packages, nested classes.
      String inside = name.endsWith("*") ? "" : "([.$].*)?";
      this.text = text;
      type = java.util.regex.Pattern.compile(regex(name) + inside);
      method = hash < 0 ? null : java.util.regex.Pattern.compile(regex(text.substring(hash + 1)));
    }

    static Pattern of(String text) {
      return new Pattern(text);
    }

    String text() {
      return text;
    }

    boolean isUsed() {
      return used;
    }

    /** Whether the pattern matches a class; notes that it has matched one. */
    void use() {
      used |= method == null;
    }

    /** Whether the pattern matches a method; notes that it has matched one. */
    void useMethod() {
      used = true;
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
