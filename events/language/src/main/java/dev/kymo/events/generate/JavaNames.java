package dev.kymo.events.generate;

import java.util.Set;

/** The names that things in a definition file have in Java. */
final class JavaNames {
  private static final Set<String> KEYWORDS =
      Set.of(
          ("abstract assert boolean break byte case catch char class const continue default do double else enum"
                  + " extends final finally float for goto if implements import instanceof int interface long"
                  + " native new package private protected public return short static strictfp super switch"
                  + " synchronized this throw throws transient try void volatile while true false null _")
              .split(" "));

  /** Types that generated code uses by these names, and names that no type may have. */
  private static final Set<String> TYPES = Set.of("Events", "String", "Float", "Double", "Record");

  /** A static method cannot have the name and parameters of a method that every object has. */
  private static final Set<String> OF_OBJECTS =
      Set.of(
          "clone",
          "equals",
          "finalize",
          "getClass",
          "hashCode",
          "notify",
          "notifyAll",
          "toString",
          "wait");

  private JavaNames() {}

  /** {@code file_cache} is {@code FileCache}. */
  static String type(String name) {
    String camel = camel(name);
    int first = camel.codePointAt(0);
    String type =
        new StringBuilder()
            .appendCodePoint(Character.toUpperCase(first))
            .append(camel.substring(Character.charCount(first)))
            .toString();
    return TYPES.contains(type) ? type + "_" : type;
  }

  /** {@code READ_DONE} is {@code readDone}. */
  static String method(String name) {
    String method = camel(name);
    return KEYWORDS.contains(method) || OF_OBJECTS.contains(method) ? method + "_" : method;
  }

  /**
   * As for a method, but never the name of a variable of the generated code, nor one in {@code
   * taken}.
   */
  static String parameter(String name, Set<String> taken) {
    String parameter = camel(name);
    while (KEYWORDS.contains(parameter) || parameter.equals("event") || taken.contains(parameter)) {
      parameter += "_";
    }
    return parameter;
  }

  /** Whether it can be the name of a package: names with dots between them. */
  static boolean isPackage(String name) {
    for (String part : name.split("\\.", -1)) {
      boolean identifier =
          part.equals(identifier(part))
              && !part.isEmpty()
              && Character.isJavaIdentifierStart(part.codePointAt(0));
      if (!identifier || KEYWORDS.contains(part)) {
        return false;
      }
    }
    return true;
  }

  /** Words in capitals become words; capitals within a word in mixed case stay. */
  private static String camel(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : identifier(name).split("_")) {
      if (!word.isEmpty()) {
        append(camel, word);
      }
    }
    String text = camel.toString();
    boolean starts = !text.isEmpty() && Character.isJavaIdentifierStart(text.codePointAt(0));
    return starts ? text : "_" + text;
  }

  private static void append(StringBuilder camel, String word) {
    String rest = word.equals(upper(word)) ? lower(word) : word;
    int first = rest.codePointAt(0);
    camel.appendCodePoint(
        camel.isEmpty() ? Character.toLowerCase(first) : Character.toUpperCase(first));
    camel.append(rest.substring(Character.charCount(first)));
  }

  private static String identifier(String name) {
    StringBuilder text = new StringBuilder();
    name.codePoints()
        .forEach(c -> text.appendCodePoint(Character.isJavaIdentifierPart(c) ? c : '_'));
    return text.toString();
  }

  private static String upper(String word) {
    return mapped(word.codePoints().map(Character::toUpperCase).toArray());
  }

  private static String lower(String word) {
    return mapped(word.codePoints().map(Character::toLowerCase).toArray());
  }

  private static String mapped(int[] codePoints) {
    return new String(codePoints, 0, codePoints.length);
  }
}
