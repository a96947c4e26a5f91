package dev.kymo.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.terminal.NumberedLines.Part;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NumberedLinesTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Terminal terminal = new Terminal(out, new PrintStream(out));

  private String written() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void numbersStandAtTheRightOfTheirColumn() {
    NumberedLines lines = terminal.numberedLines(3);
    Part by = new Part(" by");
    long[] numbers = {8, 9, 10, 99, 100, 7, 999, 1000, 1001, 0, 1, Long.MAX_VALUE};
    for (long number : numbers) {
      lines.line(number, by, new Part(" x"));
    }
    lines.flush();
    StringBuilder expected = new StringBuilder();
    for (long number : numbers) {
      expected.append("%3d by x\n".formatted(number));
    }
    assertThat(written()).isEqualTo(expected.toString());
  }

  @Test
  void whatOtherNumbersFollowIsTheSame() {
    NumberedLines lines = terminal.numberedLines(12);
    StringBuilder expected = new StringBuilder();
    for (int i = 99_990; i < 120_000; i++) {
      lines.line(i, new Part(""), new Part("/"));
      expected.append("%12d/\n".formatted(i));
    }
    lines.flush();
    assertThat(written()).isEqualTo(expected.toString());
  }

  @Test
  void partsStayOnTheirLine() {
    NumberedLines lines = terminal.numberedLines(2);
    lines.line(1, new Part(" \u001b[0m"), new Part("a\nb\u202e\u00e9"));
    lines.flush();
    assertThat(written()).isEqualTo(" 1 \\u001b[0ma\\nb\\u202e\u00e9\n");
  }

  @Test
  void linesMayBeLongerThanAPiece() {
    NumberedLines lines = terminal.numberedLines(1);
    String one = "a".repeat(200_000);
    String other = "b".repeat((64 << 10) - 1);
    lines.line(1, new Part(one), new Part(other));
    lines.line(2, new Part(""), new Part(other));
    lines.line(new Part(""));
    lines.flush();
    assertThat(written()).isEqualTo("1" + one + other + "\n2" + other + "\n\n");
  }

  @Test
  void comeAfterWhatWasWrittenBefore() {
    terminal.line("before");
    NumberedLines lines = terminal.numberedLines(1);
    lines.line(new Part("between"));
    lines.flush();
    terminal.line("after");
    terminal.flush();
    assertThat(written()).isEqualTo("before\nbetween\nafter\n");
  }
}
