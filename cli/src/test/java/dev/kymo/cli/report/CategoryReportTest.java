package dev.kymo.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CategoryReportTest {
  @TempDir Path directory;

  private Path recording = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void record() throws Exception {
    RecordingBuilder r = new RecordingBuilder().at(900).process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "run").method(1, 2, "a.B", "step").method(1, 3, "c.D", "go");
    r.ring(1, 0, 1).enter(1000, 1).enter(1010, 2).leave(1020, 2).enter(1500, 3);
    r.ring(1, 0, 1).leave(3500, 3).leave(5000, 1).enter(5000, 3).leave(5990, 3);
    recording = r.write(directory.resolve("small.kymo"));
    file = Files.writeString(directory.resolve("groups"), "work = a.B.* in:a.*\n");
  }

  @Test
  void selfTimesAddUp() {
    Kymo text = Kymo.run("report", "--categories", file, recording);
    assertThat(text.err()).isEmpty();
    assertThat(text.out())
        .isEqualTo(
            """
                self   share  calls  methods  category
            2.990 us  59.9 %      2        1  (other)
            2.000 us  40.1 %      2        2  work
            """);
    assertThat(Kymo.run("report", "--categories", file, "--csv", recording).out())
        .isEqualTo(
            """
            category,self_ns,calls,methods,at_least
            (other),2990,2,1,false
            work,2000,2,2,false
            """);
    assertThat(Kymo.run("report", "--categories", file, "--json", recording).out())
        .contains("\"category\" : \"work\"")
        .contains("\"self\" : 2000");
    assertThat(Kymo.run("report", "--categories", file, "--csv", "--filter", "c", recording).out())
        .isEqualTo("category,self_ns,calls,methods,at_least\n(other),2990,2,1,false\n");
  }

  @Test
  void filesThatAreNone() throws Exception {
    Kymo missing = Kymo.run("report", "--categories", directory.resolve("no"), recording);
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).contains("no such file of categories: file=" + directory + "/no");
    Files.writeString(file, "work: a.*\n");
    Kymo wrong = Kymo.run("report", "--categories", file, recording);
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("file of categories cannot be read: file=" + file)
        .contains("not a category: line=1 text=\"work: a.*\"; write CATEGORY = PATTERN ...");
  }
}
