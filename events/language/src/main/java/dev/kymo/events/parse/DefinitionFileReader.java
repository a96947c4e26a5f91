package dev.kymo.events.parse;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import dev.kymo.events.Subsystem;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;

/** Reads a definition file. Entry of this package. */
public final class DefinitionReader {
  private DefinitionReader() {}

  /**
   * Reads a text.
   *
   * @throws DefinitionException with everything that is wrong in it
   */
  public static Definitions read(String file, String text) throws DefinitionException {
    Problems problems = new Problems(file);
    DefinitionLexer lexer = new DefinitionLexer(CharStreams.fromString(text, file));
    CommonTokenStream tokens = new CommonTokenStream(lexer);
    tokens.fill();
    boolean cut = reportWhatIsNotClosed(tokens.getTokens(), problems);
    DefinitionParser parser = new DefinitionParser(tokens);
    parser.removeErrorListeners();
    parser.setErrorHandler(new SyntaxErrors(problems, cut));
    DefinitionParser.FileContext tree = parser.file();
    boolean complete = problems.isEmpty();
    List<Subsystem> subsystems = new FileReader(problems, complete).read(tree);
    problems.throwIfAny();
    return new Definitions(file, subsystems);
  }

  /** Returns whether the rest of the file is lost in a comment. */
  private static boolean reportWhatIsNotClosed(List<Token> tokens, Problems problems) {
    Deque<Token> comments = new ArrayDeque<>();
    for (Token token : tokens) {
      switch (token.getType()) {
        case DefinitionLexer.COMMENT_OPEN, DefinitionLexer.INNER_OPEN -> comments.push(token);
        case DefinitionLexer.COMMENT_CLOSE -> comments.pop();
        case DefinitionLexer.UNCLOSED ->
            problems.add(token, "text is not closed: expected '\"' before the end of the line");
        default -> {}
      }
    }
    if (comments.isEmpty()) {
      return false;
    }
    problems.add(
        comments.getLast(), "comment is not closed: expected '*/' for each '/*', comments nest");
    return true;
  }
}
