package dev.kymo.session.machine;

import dev.kymo.session.UsageException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reads what somebody wants to know at an instruction, in the words of C: {@code rdi}, {@code
 * *(u32*)(rsi+8)}, {@code str(rdx)}. It becomes words for the plugin's stack, as {@code data.h} has
 * them.
 *
 * <pre>
 *   value   = "str" "(" sum ")" | sum
 *   sum     = product { ("+" | "-" | "&amp;") product }
 *   product = factor { "*" factor }
 *   factor  = register | number | "(" sum ")" | "*" "(" type "*" ")" factor
 * </pre>
 */
final class DataExpression {
  private static final List<String> REGISTERS =
      List.of(
          "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
          "r13", "r14", "r15");

  private static final Map<String, String> TYPES =
      IntStream.of(1, 2, 4, 8)
          .boxed()
          .flatMap(bytes -> List.of("u", "i").stream().map(kind -> Map.entry(kind, bytes)))
          .collect(
              Collectors.toMap(e -> e.getKey() + 8 * e.getValue(), e -> e.getKey() + e.getValue()));

  private static final Pattern WORD =
      Pattern.compile("\\s*(0x[0-9a-fA-F]{1,16}|\\d{1,18}|[a-z][a-z0-9]*|[-+*&()])\\s*");

  /** As the plugin has room for. */
  private static final int MAX_WORDS = 64;

  private final String text;
  private final Matcher matcher;
  private final StringBuilder words = new StringBuilder();
  private String next = "";
  private int depth;

  private DataExpression(String text) {
    this.text = text;
    this.matcher = WORD.matcher(text);
    advance();
  }

  /**
   * Reads a value.
   *
   * @return words for the plugin
   * @throws UsageException if it is none
   */
  static String words(String text) {
    DataExpression expression = new DataExpression(text);
    expression.value();
    String words = expression.words.toString().strip();
    if (!expression.next.isEmpty() || words.split(" ").length > MAX_WORDS) {
      throw expression.wrong();
    }
    return words;
  }

  private void advance() {
    if (matcher.regionStart() == text.length()) {
      next = "";
    } else if (matcher.lookingAt()) {
      next = matcher.group(1);
      matcher.region(matcher.end(), text.length());
    } else {
      throw wrong();
    }
  }

  private UsageException wrong() {
    return new UsageException(
        "not a value: --data %s; use registers, numbers, + - * & and ( ), *(u32*)(rsi+8) for memory (u8 to u64, i8 to i64), str(rdi) for a text"
            .formatted(text));
  }

  private boolean take(String word) {
    boolean there = next.equals(word);
    if (there) {
      advance();
    }
    return there;
  }

  private void need(String word) {
    if (!take(word)) {
      throw wrong();
    }
  }

  private void say(String word) {
    words.append(word).append(' ');
  }

  private void value() {
    if (take("str")) {
      need("(");
      sum();
      need(")");
      say("t");
    } else {
      sum();
    }
  }

  private void sum() {
    product();
    while (next.equals("+") || next.equals("-") || next.equals("&")) {
      String operator = next;
      advance();
      product();
      say(operator);
    }
  }

  private void product() {
    factor();
    while (take("*")) {
      factor();
      say("*");
    }
  }

  private void factor() {
    if (++depth > MAX_WORDS) {
      throw wrong();
    }
    if (take("*")) {
      need("(");
      String type = TYPES.get(next);
      if (type == null) {
        throw wrong();
      }
      advance();
      need("*");
      need(")");
      factor();
      say(type);
    } else if (take("(")) {
      sum();
      need(")");
    } else if (REGISTERS.contains(next)) {
      say("r" + REGISTERS.indexOf(next));
      advance();
    } else if (!next.isEmpty() && Character.isDigit(next.charAt(0))) {
      long number =
          next.startsWith("0x")
              ? Long.parseUnsignedLong(next.substring(2), 16)
              : Long.parseLong(next);
      say("n" + Long.toHexString(number));
      advance();
    } else {
      throw wrong();
    }
    depth--;
  }
}
