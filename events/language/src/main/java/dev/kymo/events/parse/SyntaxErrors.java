package dev.kymo.events.parse;

import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Says in the user's words what was expected where, and lets the parser go on after it. */
final class SyntaxErrors extends DefaultErrorStrategy {
  private final Problems problems;
  private final boolean cut;

  /**
   * @param cut whether the file's end is lost in a comment, which has been reported
   */
  SyntaxErrors(Problems problems, boolean cut) {
    this.problems = problems;
    this.cut = cut;
  }

  /**
   * Looks ahead only before loops. Before an optional part ANTLR would drop a valid word to find
   * it, or give up the whole event, where only a comma or a brace is missing.
   */
  @Override
  public void sync(Parser parser) {
    int state = parser.getInterpreter().atn.states.get(parser.getState()).getStateType();
    boolean events = state == ATNState.PLUS_BLOCK_START || state == ATNState.PLUS_LOOP_BACK;
    if (events || parser.getContext() instanceof DefinitionParser.PayloadContext) {
      super.sync(parser);
    }
  }

  @Override
  protected void reportInputMismatch(Parser parser, InputMismatchException e) {
    report(parser, e.getOffendingToken(), e.getExpectedTokens());
  }

  @Override
  protected void reportNoViableAlternative(Parser parser, NoViableAltException e) {
    report(parser, e.getOffendingToken(), parser.getExpectedTokens());
  }

  @Override
  protected void reportUnwantedToken(Parser parser) {
    reportCurrent(parser);
  }

  @Override
  protected void reportMissingToken(Parser parser) {
    reportCurrent(parser);
  }

  private void reportCurrent(Parser parser) {
    if (!inErrorRecoveryMode(parser)) {
      beginErrorCondition(parser);
      report(parser, parser.getCurrentToken(), getExpectedTokens(parser));
    }
  }

  private void report(Parser parser, Token found, IntervalSet expected) {
    Token before = parser.getInputStream().LT(-1);
    boolean known =
        (cut && found.getType() == Token.EOF)
            || (before != null && before.getType() == DefinitionLexer.UNCLOSED);
    if (known) {
      return;
    }
    String message = "expected " + Words.expected(expected, parser.getContext());
    if (before != null && found.getLine() > before.getLine() && isOneLine(before)) {
      // Something is missing there, not where the next line goes on.
      problems.add(Problems.behind(before), message);
    } else {
      problems.add(found, message + ", found " + Words.found(found));
    }
  }

  private static boolean isOneLine(Token token) {
    return token.getText().indexOf('\n') < 0;
  }
}
