package dev.kymo.events.generate;

import java.util.Set;

/** The names that things in a definition file have in C. */
final class CNames {
  /** Keywords of C and of C++. */
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

  /**
   * Makes macros of names as pleco does, except for apostrophes, which pleco leaves in and so
   * breaks the macros.
   */
  static String macro(String name) {
    return mapped(identifier(name).codePoints().map(Character::toUpperCase).toArray());
  }

  static String function(String name) {
    return mapped(identifier(name).codePoints().map(Character::toLowerCase).toArray());
  }

  /** A name that generated code does not use, and that is not in {@code taken}. */
  static String parameter(String name, Set<String> taken) {
    String parameter = identifier(name);
    // Names that begin like this are reserved, or Kymo's.
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
