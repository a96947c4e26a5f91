package dev.kymo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests wait ten minutes at least for what must happen: beside twenty busy neighbours, a machine is
 * ten times as slow as otherwise.
 */
class PatienceTest {
  private static final Pattern SECONDS =
      Pattern.compile(
          "@Timeout\\((?:value = )?(\\d+)[,)](?! unit)"
              + "|\\b(?:waitFor|get|await)\\((\\d+), (?:TimeUnit\\.)?SECONDS\\)");

  private static final Pattern MINUTES =
      Pattern.compile(
          "@Timeout\\(value = (\\d+), unit = TimeUnit\\.MINUTES"
              + "|\\b(?:waitFor|get|await)\\((\\d+), (?:TimeUnit\\.)?MINUTES\\)");

  @Test
  void testsWaitLongEnough() throws Exception {
    List<Path> tests = tests();
    assertThat(tests).hasSizeGreaterThan(200);
    List<String> tooShort = new ArrayList<>();
    for (Path test : tests) {
      find(test, SECONDS, 600, tooShort);
      find(test, MINUTES, 10, tooShort);
    }
    assertThat(tooShort).isEmpty();
  }

  private static List<Path> tests() throws IOException {
    List<Path> tests = new ArrayList<>();
    for (Room room : Room.all()) {
      Path folder = SourceTree.path(room.path(), "src/test/java");
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(tests::add);
        }
      }
    }
    return tests;
  }

  private static void find(Path test, Pattern pattern, long least, List<String> tooShort)
      throws IOException {
    Matcher found = pattern.matcher(Files.readString(test));
    while (found.find()) {
      String number = found.group(1) == null ? found.group(2) : found.group(1);
      if (Long.parseLong(number) < least) {
        tooShort.add(test.getFileName() + ": " + found.group());
      }
    }
  }
}
