package dev.kymo.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.events.parse.DefinitionFileReader;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The problems of every wrong file are those in {@code expect} beside it. With {@code
 * -Dkymo.corpus.write=true} the problems are written there.
 */
class CorpusTest {
  private static final Path CORPUS = SourceTree.path("corpus", "fail-events");

  static List<Path> stored() throws IOException {
    try (Stream<Path> fail = Files.list(CORPUS)) {
      return fail.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("stored")
  void saysWhatIsWrong(Path home) throws IOException {
    String said = whatIsSaid(Files.readString(home.resolve("definitions.pleco")));
    if (Boolean.getBoolean("kymo.corpus.write")) {
      Files.writeString(home.resolve("expect"), said);
    }
    assertThat(said).isEqualTo(Files.readString(home.resolve("expect")));
  }

  /** A file that is cut anywhere is either valid or refused; nothing worse happens. */
  @ParameterizedTest
  @MethodSource("stored")
  void cutFilesAreOnlyWrong(Path home) throws IOException {
    String text = Files.readString(home.resolve("definitions.pleco"));
    for (int length = 0; length < text.length(); length++) {
      assertThat(whatIsSaid(text.substring(0, length))).isNotEmpty();
    }
  }

  private static String whatIsSaid(String text) {
    try {
      DefinitionFileReader.parse("definitions.pleco", text);
      return "nothing is wrong\n";
    } catch (DefinitionException e) {
      return e.getMessage() + "\n";
    }
  }
}
