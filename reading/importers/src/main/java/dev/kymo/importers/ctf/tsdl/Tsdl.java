package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.ctf.metadata.MetadataFile;
import dev.kymo.importers.ctf.type.TraceClass;
import dev.kymo.importers.target.ForeignException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/** Reads the metadata language of CTF 1.8. */
public final class Tsdl {
  private static final Pattern SIGNATURE = Pattern.compile("^/\\*\\s*CTF\\s+([0-9.]+)");
  private static final int DEEPEST = 100;

  private Tsdl() {}

  /**
   * Reads a trace's metadata.
   *
   * @throws ForeignException if it is not as the specification wants it
   */
  public static TraceClass read(MetadataFile file) throws ForeignException {
    checkSignature(file);
    Problems problems = new Problems(file.path());
    TsdlLexer lexer = new TsdlLexer(CharStreams.fromString(file.text()));
    lexer.removeErrorListeners();
    CommonTokenStream tokens = new CommonTokenStream(lexer);
    tokens.fill();
    checkTokens(problems, tokens);
    TsdlParser parser = new TsdlParser(tokens);
    parser.removeErrorListeners();
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    parser.setErrorHandler(new BailErrorStrategy());
    try {
      return new Blocks(problems, file, parser.file()).trace();
    } catch (ParseCancellationException e) {
      throw problem(problems, parser, e);
    }
  }

  private static void checkSignature(MetadataFile file) throws ForeignException {
    Matcher signature = SIGNATURE.matcher(file.text());
    if (signature.find() && !signature.group(1).equals("1.8")) {
      String version = signature.group(1);
      throw ForeignException.inLine(
          "metadata has an unknown version", file.path(), 1, "version=" + Problems.cut(version));
    }
  }

  /** What nests too deep would break the parser, whose methods call each other. */
  private static void checkTokens(Problems problems, CommonTokenStream tokens)
      throws ForeignException {
    int depth = 0;
    for (Token token : tokens.getTokens()) {
      if (token.getType() == TsdlLexer.ILLEGAL) {
        throw problems.at(token, "no word of the metadata language", found(token));
      }
      if (token.getType() == TsdlLexer.OPEN) {
        depth++;
      } else if (token.getType() == TsdlLexer.CLOSE) {
        depth--;
      }
      if (depth > DEEPEST) {
        throw problems.at(token, "blocks nest too deep", "max=" + DEEPEST);
      }
    }
  }

  private static ForeignException problem(
      Problems problems, Parser parser, ParseCancellationException e) {
    Token token = parser.getCurrentToken();
    if (e.getCause() instanceof RecognitionException cause && cause.getOffendingToken() != null) {
      token = cause.getOffendingToken();
    }
    return problems.at(token, "metadata has a syntax error", found(token));
  }

  private static String found(Token token) {
    return token.getType() == Token.EOF
        ? "found=end"
        : "found=\"" + Problems.cut(token.getText()) + "\"";
  }
}
