package dev.kymo.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Of every wrong file is said what stands beside it in {@code expect}. With {@code
 * -Dkymo.corpus.write=true} what is said is written there.
 */
class CorpusTest {
  private static final Path CORPUS = Path.of("..", "corpus", "fail-events");

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

  /** A file that is cut anywhere is wrong or right, but never more than that. */
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
      Definitions.parse("definitions.pleco", text);
      return "nothing is wrong\n";
    } catch (DefinitionException e) {
      return e.getMessage() + "\n";
    }
  }
}
