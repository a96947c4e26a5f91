package dev.kymo.events.parse;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import dev.kymo.events.Subsystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;

/** Reads a definition file. The entry of this package, and of the language. */
public final class DefinitionFileReader {
  private DefinitionFileReader() {}

  /**
   * Reads a file.
   *
   * @throws DefinitionException with everything that is wrong in it
   */
  public static Definitions read(Path path) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return parse(path.toString(), text);
    } catch (CharacterCodingException e) {
      throw new IOException("file is not UTF-8: path=" + path + "; save it as UTF-8", e);
    }
  }

  /**
   * Reads a text.
   *
   * @param file name for messages
   * @throws DefinitionException with everything that is wrong in it
   */
  public static Definitions parse(String file, String text) throws DefinitionException {
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
