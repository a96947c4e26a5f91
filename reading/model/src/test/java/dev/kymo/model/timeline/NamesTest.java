package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native functions, of which more is known than their processes could tell. */
class NamesTest {
  private static final Definition.Type FILE = new Definition.Type(1, "", "/program", "build");
  private static final Definition.Method RAW =
      new Definition.Method(3, 1, 0, 0, "_Z6betteri", "+0x1");

  private static final Definition.Type SOURCE =
      new Definition.Type(Definition.Type.FIRST_OF_NAMES, "", "/program", "a.cc");
  private static final Definition.Method BETTER =
      new Definition.Method(3, Definition.Type.FIRST_OF_NAMES, 12, 0, "better", "(int)");

  @TempDir Path directory;

  private static void isBetter(TracedMethod method) {
    assertThat(method)
        .isEqualTo(new TracedMethod(0, 1, "", "better", "(int)", "/program", "a.cc", 12));
  }

  /** While a recording grows, either may be read first. */
  @Test
  void winWhenTheyAreReadFirst() {
    for (boolean first : new boolean[] {true, false}) {
      RecordedDefinitions definitions = RecordedDefinitions.none();
      if (!first) {
        definitions.add(1, 5, FILE);
        definitions.add(1, 5, RAW);
      }
      definitions.add(1, 5, SOURCE);
      definitions.add(1, 5, BETTER);
      definitions.add(1, 5, FILE);
      definitions.add(1, 5, RAW);
      definitions.add(2, 5, RAW);
      isBetter(definitions.methods().get(1, 3));
      assertThat(definitions.methods().get(2, 3).name()).isEqualTo("_Z6betteri");
    }
  }

  @Test
  void areReadFromTheirOwnStream() throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(1).define(1, FILE).define(1, RAW);
    Path recording = r.names(1, SOURCE).names(1, BETTER).write(directory);
    assertThat(recording.resolve("p1-names")).exists();
    try (Recording open = Recording.open(recording)) {
      Diagnostics diagnostics = new Diagnostics();
      isBetter(RecordedDefinitions.read(open, diagnostics).methods().get(1, 3));
      assertThat(diagnostics.kept()).isEmpty();
    }
  }
}
