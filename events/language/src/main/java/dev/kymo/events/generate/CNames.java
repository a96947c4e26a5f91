package dev.kymo.events.generate;

import java.util.Set;

/** What things of a definition file are called in C. */
final class CNames {
  /** Of C and of C++. */
  private static final Set<String> KEYWORDS =
      Set.of(
          ("alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t"
                  + " class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit"
                  + " continue decltype default delete do double dynamic_cast else enum explicit export extern"
                  + " false float for friend goto if inline int long mutable namespace new noexcept not not_eq"
                  + " nullptr operator or or_eq private protected public register reinterpret_cast requires"
                  + " restrict return short signed sizeof static static_assert static_cast struct switch template"
                  + " this thread_local throw true try typedef typeid typename typeof union unsigned using virtual"
                  + " void volatile wchar_t while xor xor_eq linux unix")
              .split(" "));

  private CNames() {}

  /** As pleco makes macros of names, but for apostrophes, which it leaves to break them. */
  static String macro(String name) {
    return mapped(identifier(name).codePoints().map(Character::toUpperCase).toArray());
  }

  static String function(String name) {
    return mapped(identifier(name).codePoints().map(Character::toLowerCase).toArray());
  }

  /** Never the name of something that generated code uses, nor one of {@code taken}. */
  static String parameter(String name, Set<String> taken) {
    String parameter = identifier(name);
    // What begins so is reserved, or ours.
    if (parameter.startsWith("_") || parameter.startsWith("kymo_")) {
      parameter = "p" + parameter;
    }
    while (KEYWORDS.contains(parameter)
        || parameter.equals("memcpy")
        || parameter.equals("strlen")
        || parameter.endsWith("_t")
        || taken.contains(parameter)) {
      parameter += "_";
    }
    return parameter;
  }

  private static String identifier(String name) {
    StringBuilder text = new StringBuilder();
    name.codePoints()
        .forEach(c -> text.appendCodePoint(Character.isUnicodeIdentifierPart(c) ? c : '_'));
    return text.toString();
  }

  private static String mapped(int[] codePoints) {
    return new String(codePoints, 0, codePoints.length);
  }
}
