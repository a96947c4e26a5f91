package dev.kymo.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.instructions.listing.ListedCode;
import dev.kymo.instructions.listing.ListedInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What repeats is written once, and nothing is lost. */
class LoopFoldTest {
  private final List<LoopFold.Item> written = new ArrayList<>();

  private static LoopFold.Item line(char name) {
    return new LoopFold.Item(
        new ListedInstruction(
            0,
            1,
            1,
            new ListedCode(name, "", "", "", "", ""),
            "",
            "",
            ListedInstruction.Kind.INSTRUCTION));
  }

  /** What is written of instructions that each have a letter. */
  private String fold(String instructions, int nested) {
    written.clear();
    List<LoopFold> folds = LoopFold.levels(nested, written::add);
    instructions.chars().mapToObj(c -> line((char) c)).forEach(folds.getFirst()::add);
    folds.forEach(LoopFold::end);
    StringBuilder text = new StringBuilder();
    for (LoopFold.Item item : written) {
      ListedInstruction line = item.line();
      text.append(
          line == null
              ? "(%dx%d=%d)".formatted(item.lines(), item.times(), item.instructions())
              : String.valueOf((char) line.address()));
    }
    return text.toString();
  }

  /** Executes what was written. */
  private String unfolded() {
    List<String> all = new ArrayList<>();
    for (LoopFold.Item item : written) {
      ListedInstruction line = item.line();
      if (line != null) {
        all.add(String.valueOf((char) line.address()));
      } else {
        String body = String.join("", all.subList(all.size() - item.lines(), all.size()));
        assertThat(item.instructions()).isEqualTo(body.length() * item.times());
        all.add(body.repeat((int) item.times() - 1));
      }
    }
    return String.join("", all);
  }

  @Test
  void aBodyIsWrittenOnceWithItsTimes() {
    assertThat(fold("xabcabcabcabcy", 1)).isEqualTo("xabc(3x4=12)y");
    assertThat(fold("x" + "a".repeat(4096) + "y", 1)).isEqualTo("xa(1x4096=4096)y");
    assertThat(fold("abcabcabcab", 1)).isEqualTo("abc(3x3=9)ab");
  }

  @Test
  void whatIsExecutedTwiceStays() {
    assertThat(fold("xababy", 1)).isEqualTo("xababy");
    assertThat(fold("", 1)).isEmpty();
  }

  @Test
  void loopsInLoopsFold() {
    assertThat(fold("xaaaaxaaaaxaaaa", 2)).isEqualTo("xa(1x4=4)(3x3=15)");
    // The last time stays, because a fold of its last lines might have followed.
    assertThat(fold("xaaaab".repeat(4), 2)).isEqualTo("xa(1x4=4)b(4x3=18)xa(1x4=4)b");
    // Not each time as often: the outer loop has no body that repeats.
    assertThat(fold("xaaaabxaaaaabxaaaab", 2)).isEqualTo("xa(1x4=4)bxa(1x5=5)bxa(1x4=4)b");
  }

  @Test
  void bodiesThatAreTooLongStay() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i <= LoopFold.MAX_BODY; i++) {
      body.append((char) (0x4000 + i));
    }
    String thrice = body.toString().repeat(3);
    assertThat(fold(thrice, 1)).isEqualTo(thrice);
    assertThat(fold(thrice.replace(body.substring(0, 1), ""), 1))
        .hasSizeLessThan(body.length() + 20);
  }

  @Test
  void nothingIsLost() {
    Random random = new Random(20261125);
    for (int i = 0; i < 5000; i++) {
      String program = loop(random, 3);
      fold(program, 1 + random.nextInt(4));
      assertThat(unfolded()).isEqualTo(program);
    }
  }

  private static String loop(Random random, int depth) {
    StringBuilder body = new StringBuilder();
    int parts = 1 + random.nextInt(4);
    for (int i = 0; i < parts; i++) {
      body.append(
          depth > 0 && random.nextBoolean()
              ? loop(random, depth - 1)
              : String.valueOf((char) ('a' + random.nextInt(4))));
    }
    return body.toString().repeat(1 + random.nextInt(5));
  }
}
