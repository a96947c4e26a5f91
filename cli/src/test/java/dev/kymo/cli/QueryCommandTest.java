package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryCommandTest {
  private static final String QUESTION =
      "SELECT name, duration, parent IS NULL AS outer FROM calls JOIN methods USING (method) ORDER BY ALL";

  @TempDir Path directory;

  private Path recording(boolean lossy) {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "x,y").method(1, 2, "a.B", "z");
    StreamWriter ring = r.ring(1, 0, 1).enter(100, 1).enter(120, 2).leave(130, 2);
    if (lossy) {
      ring.lose(3);
    }
    ring.leave(200, 1);
    return r.write(directory.resolve(lossy ? "lossy.kymo" : "r.kymo"));
  }

  private static Kymo query(Object... arguments) {
    return Kymo.run(Stream.concat(Stream.of("query"), Stream.of(arguments)).toArray());
  }

  private static void says(Kymo kymo, String out) {
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.out()).isEqualTo(out);
    assertThat(kymo.code()).isZero();
  }

  @Test
  void answersAsTableCsvAndJson() throws Exception {
    Path recording = recording(false);
    says(
        query(recording, QUESTION),
        """
           name  duration  outer
        a.B.x,y       100  true
          a.B.z        10  false
        """);
    says(
        query(recording, QUESTION, "--format", "csv"),
        """
        name,duration,outer
        "a.B.x,y",100,true
        a.B.z,10,false
        """);
    says(
        query(recording, QUESTION, "--format", "json"),
        """
        {"name":"a.B.x,y","duration":100,"outer":true}
        {"name":"a.B.z","duration":10,"outer":false}
        """);
    Path file = Files.writeString(directory.resolve("q.sql"), "SELECT count(*) AS n FROM calls;\n");
    says(query(recording, "-f", file), "n\n2\n");
  }

  @Test
  void writesAnAnswerThatCanBeAsked() {
    Path to = directory.resolve("answer.parquet");
    Kymo kymo = query(recording(false), "FROM calls;", "--format", "parquet", "-o", to);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.out()).startsWith(to + ": ").endsWith(" bytes\n");
    says(
        query(recording(false), "--unsafe", "SELECT sum(duration) AS sum FROM '" + to + "'"),
        "sum\n110\n");
  }

  @Test
  void tellsOfRowsThatAreNotShown() {
    Kymo kymo = query(recording(false), QUESTION, "--rows", 1);
    assertThat(kymo.out().lines()).hasSize(2);
    assertThat(kymo.err())
        .isEqualTo("kymo: there are more rows: --rows shows them, --format csv all\n");
  }

  @Test
  void tellsOfLosses() {
    Kymo kymo = query(recording(true), "SELECT count(*) AS n FROM calls");
    assertThat(kymo.out()).isEqualTo("n\n2\n");
    assertThat(kymo.err())
        .isEqualTo(
            "kymo: events were lost, numbers are at least what they seem: recording=lossy.kymo gaps=1; table gaps has them\n");
  }

  @Test
  void showsThePlaceOfAMistake() {
    Kymo kymo = query(recording(false), "SELECT dration FROM calls");
    assertThat(kymo.code()).isEqualTo(1);
    assertThat(kymo.out()).isEmpty();
    assertThat(kymo.err())
        .contains("kymo: LINE 1: SELECT dration FROM calls\n", "       ^", "\"duration\"");
  }

  @Test
  void endsWhenMemoryDoes() {
    String many = "SELECT list(range) FROM range(100000000)";
    for (String format : new String[] {"table", "csv"}) {
      Kymo kymo = query(recording(false), many, "--memory", 20, "--format", format);
      assertThat(kymo.err())
          .isEqualTo(
              "kymo: not enough memory for the answer: memory_mb=20; ask for less, or give more with --memory\n");
      assertThat(kymo.code()).isEqualTo(1);
    }
  }

  @Test
  void wrongUsage() {
    Kymo kymo = query();
    assertThat(kymo.err()).startsWith("kymo: a recording is missing: ");
    assertThat(kymo.code()).isEqualTo(2);
    kymo = query(directory.resolve("none"));
    assertThat(kymo.err()).startsWith("kymo: there is no such recording: ");
    assertThat(kymo.code()).isEqualTo(2);
    kymo = query(recording(false), "--question", "none");
    assertThat(kymo.err()).startsWith("kymo: there is no ready question of this name: none; ");
    assertThat(kymo.code()).isEqualTo(2);
    kymo = query(recording(false), "FROM calls", "-o", "x");
    assertThat(kymo.err()).isEqualTo("kymo: --format parquet and -o belong together\n");
    assertThat(kymo.code()).isEqualTo(2);
    kymo = query(directory.resolve("none"), "FROM calls");
    assertThat(kymo.err()).startsWith("kymo: no such recording: path=");
    assertThat(kymo.code()).isEqualTo(2);
  }

  /** Without a question they come from standard input; one that fails does not end the others. */
  @Test
  void answersQuestionsFromStandardInput() {
    String asked =
        "SELECT count(*) AS n\nFROM calls;\nSELECT nope;\n.format csv\n.question slowest most=1 method=*.z\n.colunms gaps\n";
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(asked.getBytes(StandardCharsets.UTF_8)));
    try {
      Kymo kymo = query(recording(true));
      assertThat(kymo.out())
          .isEqualTo(
              """
              n
              2
              recording,process,thread,thread_name,method,depth,begin,duration,self,at_least
              lossy.kymo,1,1,main,a.B.z,1,20,10,10,false
              """);
      assertThat(kymo.err())
          .startsWith("kymo: events were lost, ")
          .contains("kymo: LINE 1: SELECT nope;\n")
          .endsWith("kymo: there is no such command: .colunms; .help shows them\n");
      assertThat(kymo.code()).isEqualTo(1);
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void readyQuestions() {
    says(
        query(recording(false), "--question", "costs", "--set", "method=*.z", "--format", "csv"),
        """
        recording,method,calls,self,percent,longest,at_least
        r.kymo,a.B.z,1,10,100.0,10,false
        """);
    assertThat(query("--questions").out()).contains("percentiles\n", "    bucket=1h ");
  }

  @Test
  void showsTables() {
    Kymo kymo = query(recording(false), "--tables");
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.out())
        .contains("calls\n  recording          VARCHAR   name of the recording\n", "\nfacts\n");
  }
}
