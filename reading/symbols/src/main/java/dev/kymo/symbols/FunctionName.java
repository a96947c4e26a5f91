package dev.kymo.symbols;

/**
 * The parts of a demangled name: {@code std::vector<int>::push_back} and {@code (int const&)}.
 *
 * @param name with its scope, without the return type
 * @param parameters in parentheses, with what follows them ({@code const}); empty for C
 */
public record FunctionName(String name, String parameters) {
  private static final String[] KINDS = {
    "non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to "
  };
  private static final String[] QUALIFIERS = {" const", " volatile", " &&", " &"};
  private static final String OPERATOR = "operator";

  /** Takes a name apart as the C++ library writes it. */
  public static FunctionName of(String demangled) {
    for (String kind : KINDS) {
      if (demangled.startsWith(kind)) {
        FunctionName of = of(demangled.substring(kind.length()));
        return new FunctionName(kind + of.name, of.parameters);
      }
    }
    int clone = demangled.indexOf(" [clone ");
    if (clone >= 0) {
      FunctionName of = of(demangled.substring(0, clone));
      return new FunctionName(of.name + demangled.substring(clone), of.parameters);
    }
    return split(demangled);
  }

  private static FunctionName split(String text) {
    int end = withoutQualifiers(text);
    int begin = openingOfLast(text, end);
    if (begin <= 0) {
      return new FunctionName(text, "");
    }
    int pointer = innerOfFunctionPointer(text, begin);
    if (pointer > 0) { // it returns a pointer to a function: void (*name(int))(char)
      return split(text.substring(pointer, begin - 1));
    }
    return new FunctionName(withoutResult(text.substring(0, begin)), text.substring(begin));
  }

  private static int withoutQualifiers(String text) {
    int end = text.length();
    boolean found = true;
    while (found) {
      found = false;
      for (String qualifier : QUALIFIERS) {
        if (text.startsWith(qualifier, end - qualifier.length())) {
          end -= qualifier.length();
          found = true;
        }
      }
    }
    return end;
  }

  /** Where the parentheses open that close at the end; -1 if these are not parameters. */
  private static int openingOfLast(String text, int end) {
    if (text.startsWith(")", end - 1) && !text.startsWith(OPERATOR + "()", end - 10)) {
      int depth = 0;
      for (int i = end - 1; i >= 0; i--) {
        depth += text.charAt(i) == ')' ? 1 : text.charAt(i) == '(' ? -1 : 0;
        if (depth == 0) {
          return i;
        }
      }
    }
    return -1;
  }

  /** The position after the star, if {@code (*name(int))} stands before the parameters; else -1. */
  private static int innerOfFunctionPointer(String text, int end) {
    int begin = openingOfLast(text, end);
    if (begin < 0) {
      return -1;
    }
    int star = begin + 1;
    return text.startsWith("*", star) || text.startsWith("&", star) ? star + 1 : -1;
  }

  /** Templates are shown with their return type: {@code void name<int>}. */
  private static String withoutResult(String text) {
    int begin = 0;
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isOperator(text, i)) {
        if (depth == 0) {
          break; // its name may have spaces: operator unsigned long
        }
        i = behindOperator(text, i) - 1;
      } else if ("<({[".indexOf(c) >= 0) {
        depth++;
      } else if (c == ')' || c == '}' || c == ']' || (c == '>' && text.charAt(i - 1) != '-')) {
        depth--;
      } else if (c == ' ' && depth == 0 && separates(text, i)) {
        begin = i + 1;
      }
    }
    return text.substring(begin);
  }

  /**
   * Without what follows the parameters of an enclosing function: {@code f() const::{lambda()#1}}.
   */
  private static boolean separates(String text, int space) {
    boolean decltype = text.startsWith("(", space + 1) && text.startsWith("decltype", space - 8);
    boolean ofFunction = space > 0 && text.charAt(space - 1) == ')';
    boolean qualifies = text.startsWith("const", space + 1) || text.startsWith("&", space + 1);
    boolean clone = text.startsWith("[", space + 1);
    return !decltype && !clone && !(qualifies && (ofFunction || text.startsWith("&", space + 1)));
  }

  private static boolean isOperator(String text, int at) {
    int end = at + OPERATOR.length();
    return text.startsWith(OPERATOR, at)
        && (at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1)))
        && (end >= text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
  }

  private static int behindOperator(String text, int at) {
    int i = at + OPERATOR.length();
    if (text.startsWith("()", i) || text.startsWith("[]", i)) {
      return i + 2;
    }
    while (i < text.length() && "<>=!+-*/%^&|~,".indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    return i;
  }
}
