package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.target.ForeignException;
import java.nio.file.Path;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** Says where in the metadata something is wrong. */
record Problems(Path path) {
  private static final int LONGEST = 60;

  ForeignException at(ParserRuleContext where, String problem) {
    return at(where.getStart(), problem, "text=\"" + cut(where.getText()) + "\"");
  }

  ForeignException at(Token where, String problem, String facts) {
    return ForeignException.inLine(problem, path, where.getLine(), facts);
  }

  static String cut(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\"]", " ");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }
}
