package dev.kymo.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A viewer whose scripts are edited while it is open. */
class ShowAnewTest {
  @TempDir Path folder;
  private Path script = Path.of("");
  private @Nullable RunningView viewer;

  @BeforeEach
  void prepare() {
    script = folder.resolve("chosen.js");
  }

  @AfterEach
  void end() throws Exception {
    view().close();
  }

  private RunningView view() {
    return Objects.requireNonNull(viewer);
  }

  private void view(String... words) throws Exception {
    viewer = new RunningView(words);
  }

  private void save(String function) throws Exception {
    Path next = folder.resolve("next");
    Files.writeString(next, function);
    Files.move(next, script, StandardCopyOption.REPLACE_EXISTING);
  }

  private Path recording() {
    RecordingBuilder recording = new RecordingBuilder();
    recording.process(1).thread(1, 1, "main");
    recording.method(1, 7, "a.B", "run").method(1, 8, "a.C", "go");
    recording.ring(1, 0, 1).enter(100, 7).leave(200, 7).enter(300, 8).leave(500, 8);
    return recording.write(folder.resolve("run.kymo"));
  }

  @Test
  void showsWhatTheSavedScriptChooses() throws Exception {
    save("function accept(event) { return event.name == 'a.B.run'; }");
    view(recording().toString(), "--filter", script.toString());
    view().await("\"edition\":1,\"news\":\"\"");
    assertThat(view().ready("summary")).contains("\"calls\":[1]");
    String whole = view().ready("summary");

    save("function accept(event) { return true; } // all of them");
    view().await("\"edition\":2,\"news\":\"\"");
    assertThat(view().ready("summary")).contains("\"calls\":[1,1]").isNotEqualTo(whole);
    assertThat(view().ask("recording")).contains("\"edition\":2");
  }

  @Test
  void whatWasShownStaysIfTheSavedScriptIsWrong() throws Exception {
    save("function accept(event) { return event.name == 'a.B.run'; }");
    view(recording().toString(), "--filter", script.toString());
    String before = view().ready("summary");

    save("function accept(event) {\n  return event.name ==;\n}");
    assertThat(view().await("script is not valid"))
        .contains("\"edition\":1", "file=" + script + " line=2 column=");
    assertThat(view().ready("summary")).isEqualTo(before);

    Files.delete(script); // nothing happens until it is there again
    save("function accept(event) { return event.name != 'a.B.run'; }");
    view().await("\"edition\":2,\"news\":\"\"");
    assertThat(view().ready("summary")).isNotEqualTo(before);
    assertThat(view().err()).contains("script is not valid");
  }

  @Test
  void showsActivitiesOfTheSavedDeclaration() throws Exception {
    script = folder.resolve("activities.txt");
    save("run: begin=a.B.run end=a.B.run\n");
    view(recording().toString(), "--activities", script.toString());
    assertThat(view().ask("recording"))
        .contains("\"name\":\"run\"")
        .doesNotContain("\"name\":\"going\"");

    save("run: begin=a.B.run end=a.B.run\ngoing: begin=a.C.go end=a.C.go\n");
    view().await("\"edition\":2");
    assertThat(view().ask("recording")).contains("\"name\":\"run\"", "\"name\":\"going\"");
  }

  @Test
  void withoutFilesThereIsOneEdition() throws Exception {
    view(recording().toString(), "--activities", "run: begin=a.B.run end=a.B.run");
    assertThat(view().ask("growth")).doesNotContain("edition");
  }
}
