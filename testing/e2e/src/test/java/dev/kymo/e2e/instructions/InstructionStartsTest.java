package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that start others or themselves, and children that begin in calls of their parents. */
@Tag("instructions")
class InstructionStartsTest extends InstructionRecording {
  private static final List<String> WAYS =
      List.of(
          "self",
          "pid",
          "thread-self",
          "task",
          "parent",
          "link",
          "thread",
          "chdir",
          "readlink",
          "gone",
          "fexecve",
          "fexecve-closing",
          "execveat",
          "execveat-folder",
          "execveat-here",
          "self-fd",
          "self-fd-closing",
          "thread-self-fd",
          "dev-fd",
          "folder-fd",
          "memory",
          "memory-closing",
          "memory-again",
          "deleted",
          "script-fd",
          "relative",
          "script",
          "interpreter",
          "interpreter-self",
          "nested-scripts",
          "no-arguments",
          "null-arguments",
          "null-environment",
          "failing",
          "spawn",
          "spawn-self",
          "spawn-nothing",
          "vfork",
          "system");

  /** Each way in a folder of its own. */
  private static final String EACH =
      """
      for way in %s; do
        mkdir $way; cp starts $way/starts; cd $way
        ./starts $way; echo "$way $?"
        cd ..; rm -f $way/link # it leads out of the test's folder
      done
      """
          .formatted(String.join(" ", WAYS));

  private Path starts(Path to, String... options) throws Exception {
    return NativePrograms.compile(SOURCES.resolve("starts.c"), to, options);
  }

  private Path folderWithStarts(String name) throws Exception {
    Path made = Files.createDirectory(folder.resolve(name));
    starts(made.resolve("starts"), "-pthread");
    return made;
  }

  private Kymo.Result recordIn(Path where, String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "--instructions", "-q", "-o"));
    all.add(recording().toString());
    all.add("--");
    all.addAll(List.of(command));
    return Kymo.runIn(where, Map.of(), "", all.toArray(String[]::new));
  }

  @Test
  void programsAreRecordedInWhateverWayTheyAreStarted() throws Exception {
    Kymo.Result plain = Kymo.exec(folderWithStarts("plain"), "sh", "-c", EACH);
    assertThat(plain.out()).contains(WAYS.stream().map(way -> way + " 3\n").toList());
    Kymo.Result recorded = recordIn(folderWithStarts("recorded"), "sh", "-c", EACH);
    assertThat(recorded.out()).isEqualTo(plain.out());
    assertThat(recorded.err()).isEqualTo(plain.err());
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    assertThat(info()).doesNotContain("cannot be recorded");
    String report = Kymo.run("report", "--csv", recording().toString()).out();
    List<String> worked =
        report
            .lines()
            .filter(line -> line.startsWith("worked,"))
            .map(l -> l.split(",")[5])
            .toList();
    assertThat(worked).hasSameSizeAs(WAYS).containsOnly("50");
  }

  @ParameterizedTest
  @ValueSource(strings = {"root", "user"})
  void itIsSaidThatAProgramCannotBeRecorded(String way) throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "skipped: this user is not root");
    Path where = folderWithStarts("where");
    starts(where.resolve("starts-static"), "-static", "-pthread");
    Kymo.Result plain = Kymo.exec(where, "./starts", way);
    assertThat(plain.out()).startsWith("after");
    Kymo.Result recorded = recordIn(where, "./starts", way);
    assertThat(recorded.out()).isEqualTo(plain.out());
    assertThat(recorded.err()).isEqualTo(plain.err());
    assertThat(recorded.exit()).isEqualTo(plain.exit());
    assertThat(info())
        .containsPattern(
            "a process goes on in a program that cannot be recorded: process=1 pid=\\d+ program="
                + (way.equals("root") ? "/starts-static" : "/bin/echo"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fork", "clone", "vfork", "handler", "grandchild", "thread"})
  void childrenAreInTheCallsOfTheirParents(String way) throws Exception {
    Path program =
        NativePrograms.compile(
            SOURCES.resolve("inherits.c"), folder.resolve("inherits"), "-pthread");
    assertThat(record(program.toString(), way).exit()).isZero();
    int processes = way.equals("grandchild") ? 3 : 2;
    try (Recorded recorded = new Recorded(recording())) {
      for (String each : List.of("outer", "middle", "inner")) {
        assertThat(recorded.calls(each)).as(each).isEqualTo(processes);
      }
      assertThat(recorded.calls("main")).isEqualTo(way.equals("thread") ? 1 : processes);
      assertThat(recorded.calls("in_thread")).isEqualTo(way.equals("thread") ? 2 : 0);
      assertThat(recorded.calls("only_in_child")).isOne();
      // other(10), and two calls of it after inner, in each process; and from only_in_child.
      boolean returns = !way.equals("vfork");
      assertThat(recorded.calls("other")).isEqualTo(10 + (returns ? processes : 1) * 7L + 2);
    }
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
  }
}
