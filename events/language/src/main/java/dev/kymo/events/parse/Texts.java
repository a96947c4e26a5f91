package dev.kymo.events.parse;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Reads texts in quotes, with the escapes of Haskell, in which pleco was written. */
final class Texts {
  /** Longer texts fit neither a Java class nor a screen. */
  private static final int LONGEST = 4096;

  private static final String LETTERS = "abfnrtv\\\"'";
  private static final String MEANINGS = "\u0007\b\f\n\r\t\u000b\\\"'";

  /** The index is the character. SOH stands before SO, so that the longer name wins. */
  private static final List<String> CONTROLS =
      List.of(
          ("NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI"
                  + " DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP")
              .split(" "));

  private static final Pattern ESCAPE =
      Pattern.compile(
          "\\\\(?:(?<nothing>&|\\s+\\\\)|(?<letter>[abfnrtv\\\\\"'])|(?<dec>[0-9]+)|x(?<hex>[0-9a-fA-F]+)"
              + "|o(?<oct>[0-7]+)|\\^(?<ctrl>[@-_])|(?<del>DEL)|(?<name>"
              + String.join("|", CONTROLS)
              + ")|(?<bad>.?))",
          Pattern.DOTALL);

  private final Problems problems;

  Texts(Problems problems) {
    this.problems = problems;
  }

  /** The meaning of a text in quotes; nothing if a text is missing. */
  String decode(DefinitionParser.@Nullable TextContext tree) {
    Token token = tree == null ? null : Names.token(tree.STRING());
    if (token == null) {
      return "";
    }
    String raw = token.getText();
    Matcher escapes = ESCAPE.matcher(raw.substring(1, raw.length() - 1));
    StringBuilder text = new StringBuilder();
    while (escapes.find()) {
      escapes.appendReplacement(text, "");
      append(text, escapes, token);
    }
    escapes.appendTail(text);
    if (text.length() > LONGEST) {
      problems.add(
          token, "text is too long: characters=%d most=%d".formatted(text.length(), LONGEST));
    }
    return text.toString();
  }

  private void append(StringBuilder text, Matcher escape, Token token) {
    if (escape.group("nothing") != null) {
      return;
    }
    int code = code(escape);
    if (Character.isValidCodePoint(code) && Character.getType(code) != Character.SURROGATE) {
      text.appendCodePoint(code);
    } else {
      problems.add(
          token,
          "unknown escape in the text: %s; expected \\\" \\\\ \\n \\t or a number such as \\x41"
              .formatted(escape.group()));
    }
  }

  /** The character, -1 if there is none. */
  private static int code(Matcher escape) {
    String letter = escape.group("letter");
    if (letter != null) {
      return MEANINGS.charAt(LETTERS.indexOf(letter));
    }
    String control = escape.group("ctrl");
    if (control != null) {
      return control.charAt(0) - '@';
    }
    if (escape.group("del") != null) {
      return 0x7F;
    }
    String name = escape.group("name");
    return name != null ? CONTROLS.indexOf(name) : number(escape);
  }

  private static int number(Matcher escape) {
    String[] groups = {"dec", "hex", "oct"};
    int[] bases = {10, 16, 8};
    for (int i = 0; i < groups.length; i++) {
      String digits = escape.group(groups[i]);
      if (digits != null) {
        try {
          return Integer.parseInt(digits, bases[i]);
        } catch (NumberFormatException e) {
          return -1;
        }
      }
    }
    return -1;
  }
}
