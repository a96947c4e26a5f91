package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is listed of the instructions of a program: loops once, and what is irregular. */
@Tag("instructions")
class InstructionListsTest extends InstructionRecording {
  private void recordNested(String what, String times) throws Exception {
    record(nested().toString(), what, times);
  }

  @Test
  void theListingFoldsLoops() throws Exception {
    recordNested("calls", "3");
    String listing = Kymo.run("print", "--instructions", "--fold", recording().toString()).out();
    assertThat(listing)
        .containsPattern("\\.\\.\\.  the \\d+ lines above x 500 \\(\\d+ instructions\\)");
    String csv = Kymo.run("print", "--instructions", "--csv", recording().toString()).out();
    long whole = csv.lines().count() - 1;
    long lines = listing.lines().filter(line -> !line.contains(" above x ")).count();
    assertThat(lines).isLessThan(whole);
    assertThat(Kymo.run("print", "--instructions", "--thread", "7", recording().toString()).out())
        .isEmpty();
    for (String option : List.of("--json", "--points")) {
      String[] command = {"print", "--instructions", "--fold", option, recording().toString()};
      assertThat(Kymo.run(command).exit()).as(option).isEqualTo(2);
    }
  }

  private long points(String part) throws Exception {
    Kymo.Result result = Kymo.run("print", "--points", "--csv", recording().toString());
    assertThat(result.err()).isEmpty();
    return result.out().lines().filter(line -> line.contains(part)).count();
  }

  @Test
  void pointsAreWhereTheProgramIsIrregular() throws Exception {
    recordNested("faults", "7");
    assertThat(points(",fault,")).isEqualTo(14);
    assertThat(points(",SIGSEGV")).isEqualTo(7); // comes first after "fault"
    assertThat(points(",call left without return,")).isEqualTo(8); // with what exit was called in
    assertThat(points(",unmatched return,")).isZero();
    String all = Kymo.run("print", "--points", recording().toString()).out();
    assertThat(all)
        .containsPattern(
            "call left without return +libc.so.6 \\S+ +SIGSEGV and \\d calls in it, to")
        .containsPattern("first execution of a page +nested _start ");
    Path file = recording().resolve("instructions").resolve("p1-thread-1.points");
    byte[] kept = Files.readAllBytes(file);
    kept[kept.length / 2] ^= 1;
    Files.write(file, kept);
    assertThat(Kymo.run("print", "--points", recording().toString()).out()).isEqualTo(all);
    Files.delete(file);
    assertThat(Kymo.run("print", "--points", recording().toString()).out()).isEqualTo(all);
    Kymo.Result critical =
        Kymo.run("print", "--points", "--critical", "nobody", recording().toString());
    assertThat(critical.exit()).isEqualTo(2);
    assertThat(critical.err()).contains("no function of this name was executed: nobody");
  }
}
