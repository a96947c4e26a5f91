package dev.kymo.events.parse;

import dev.kymo.format.EventKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.jspecify.annotations.Nullable;

/** The names of tokens in messages. */
final class Words {
  private static final int LONGEST_FOUND = 30;

  private Words() {}

  /** All kinds as they are written, for messages. */
  static String kinds() {
    return Arrays.stream(EventKind.values())
        .map(k -> k == EventKind.END ? "end EVENTNAME" : k.word())
        .collect(Collectors.joining(", "));
  }

  static String found(Token token) {
    if (token.getType() == Token.EOF) {
      return "the end of the file";
    }
    String text = token.getText();
    if (text.length() > LONGEST_FOUND) {
      text = text.substring(0, LONGEST_FOUND) + "...";
    }
    boolean keyword =
        token.getType() == DefinitionLexer.SUBSYSTEM || token.getType() == DefinitionLexer.EVENT;
    return (keyword ? "the keyword '" : "'") + text + "'";
  }

  static String expected(IntervalSet tokens, RuleContext context) {
    List<String> words = new ArrayList<>();
    for (int type : tokens.toArray()) {
      String word = word(type, context);
      if (word != null) {
        words.add(word);
      }
    }
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  private static @Nullable String word(int type, RuleContext context) {
    return switch (type) {
      case DefinitionLexer.SUBSYSTEM -> "'subsystem'";
      case DefinitionLexer.EVENT -> "'event'";
      case DefinitionLexer.OPEN -> "'{'";
      case DefinitionLexer.CLOSE -> "'}'";
      case DefinitionLexer.COMMA -> "','";
      case DefinitionLexer.SEMICOLON -> "';'";
      case DefinitionLexer.NUMBER -> "a number";
      case DefinitionLexer.NAME -> isType(context) ? "a type" : "a name";
      case DefinitionLexer.STRING ->
          context.parent instanceof DefinitionParser.AttributeContext
              ? "a text in quotes"
              : "a description in quotes (\"\" for none)";
      case Token.EOF -> "the end of the file";
      default -> null;
    };
  }

  private static boolean isType(RuleContext context) {
    return context instanceof DefinitionParser.PayloadContext
        || (context instanceof DefinitionParser.FieldContext f && f.NAME().isEmpty());
  }
}
