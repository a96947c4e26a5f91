package dev.kymo.analysis.names;

import dev.kymo.model.definitions.TracedMethod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Groups of functions, by patterns of their names.
 *
 * <pre>
 *   # what a line is:  CATEGORY = PATTERN ...
 *   memory = malloc free "operator new*" std::allocator*
 *   parser = file:parse*.c  lua_*
 *   zip    = in:libz.so*
 * </pre>
 *
 * <p>In patterns {@code *} stands for anything. A pattern is of the name, with or without class and
 * scope; {@code file:} of the source file, {@code in:} of the library or class. The first line that
 * fits decides.
 */
public final class Categories {
  /** The category of what no line fits. */
  public static final String OTHER = "(other)";

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|([^\\s\"]+)");

  private final Map<String, List<Condition>> categories;

  /** One pattern; {@code what} is empty, {@code file} or {@code in}. */
  private record Condition(String what, Pattern pattern) {
    static Condition of(String text) {
      for (String what : List.of("file", "in")) {
        if (text.startsWith(what + ":")) {
          return new Condition(what, like(text.substring(what.length() + 1)));
        }
      }
      return new Condition("", like(text));
    }

    private static Pattern like(String text) {
      return Pattern.compile(
          Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
          Pattern.DOTALL);
    }

    boolean holds(TracedMethod method) {
      return switch (what) {
        case "file" -> holds(method.source()) || holds(last(method.source()));
        case "in" -> holds(method.type());
        default -> holds(method.qualifiedName()) || holds(method.name()) || holds(inner(method));
      };
    }

    private boolean holds(String text) {
      return pattern.matcher(text).matches();
    }

    private static String last(String path) {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Without the scope that C++ has before the name. */
    private static String inner(TracedMethod method) {
      String name = method.name();
      int scope = name.lastIndexOf("::");
      return scope < 0 ? name : name.substring(scope + 2);
    }
  }

  private Categories(Map<String, List<Condition>> categories) {
    this.categories = categories;
  }

  /**
   * Reads the lines of a file.
   *
   * @throws IllegalArgumentException if a line cannot be understood; the message says which and why
   */
  public static Categories of(List<String> lines) {
    Map<String, List<Condition>> categories = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        int equals = line.indexOf('=');
        String name = line.substring(0, Math.max(0, equals)).strip();
        List<Condition> conditions = conditions(line.substring(equals + 1));
        if (name.isEmpty() || conditions.isEmpty()) {
          throw new IllegalArgumentException(
              "not a category: line=%d text=\"%s\"; write CATEGORY = PATTERN ..."
                  .formatted(i + 1, line));
        }
        categories.computeIfAbsent(name, n -> new ArrayList<>()).addAll(conditions);
      }
    }
    return new Categories(categories);
  }

  private static List<Condition> conditions(String text) {
    List<Condition> conditions = new ArrayList<>();
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      conditions.add(Condition.of(word.group(1) != null ? word.group(1) : word.group(2)));
    }
    return conditions;
  }

  /** The category of a function, {@link #OTHER} if it is in none. */
  public String of(TracedMethod method) {
    for (Map.Entry<String, List<Condition>> category : categories.entrySet()) {
      if (category.getValue().stream().anyMatch(condition -> condition.holds(method))) {
        return category.getKey();
      }
    }
    return OTHER;
  }
}
