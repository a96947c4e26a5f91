package dev.kymo.symbols;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of Rust functions, which look like C++ names that end with a hash. */
final class RustName {
  private static final Pattern HASH = Pattern.compile("::h[0-9a-f]{16}$");
  private static final Pattern ESCAPE = Pattern.compile("\\$([A-Z]{1,2}|u[0-9a-f]{1,6})\\$");

  private static final Map<String, String> ESCAPES =
      Map.of("SP", "@", "BP", "*", "RF", "&", "LT", "<", "GT", ">", "LP", "(", "RP", ")", "C", ",");

  private RustName() {}

  static boolean is(String demangled) {
    return HASH.matcher(demangled).find();
  }

  /** The name without its hash, as in source. */
  static String of(String demangled) {
    String name = HASH.matcher(demangled).replaceFirst("");
    StringBuilder text = new StringBuilder();
    Matcher escape = ESCAPE.matcher(name.replace("::_$", "::$").replaceFirst("^_\\$", "\\$"));
    while (escape.find()) {
      escape.appendReplacement(text, Matcher.quoteReplacement(meaning(escape.group(1))));
    }
    return escape.appendTail(text).toString().replace("..", "::");
  }

  private static String meaning(String escape) {
    if (escape.startsWith("u")) {
      int character = Integer.parseInt(escape.substring(1), 16);
      return Character.isValidCodePoint(character) ? Character.toString(character) : escape;
    }
    return ESCAPES.getOrDefault(escape, escape);
  }
}
