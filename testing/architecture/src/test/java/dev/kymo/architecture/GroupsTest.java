package dev.kymo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that {@code ./test} leaves out belongs to a group, which runs when its folders change. */
class GroupsTest {
  /** What {@code ./test fast} leaves out. */
  private static final Set<String> NOT_FAST = Set.of("slow", "kernel", "peer", "browser");

  private static final Pattern TAG = Pattern.compile("@Tag\\(\"(\\w+)\"\\)");

  /** Folders by group. */
  private static Map<String, List<String>> groups() throws IOException {
    return Files.readAllLines(SourceTree.path("testing/groups")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(" +", 2))
        .collect(Collectors.toMap(words -> words[0], words -> Arrays.asList(words[1].split(" +"))));
  }

  /** The tags of all tests, with a file that has it. */
  private static Map<String, Path> tags() throws IOException {
    Map<String, Path> tags = new TreeMap<>();
    for (Room room : Room.all()) {
      Path tests = SourceTree.path(room.path(), "src/test/java");
      if (!Files.isDirectory(tests)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(tests)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          TAG.matcher(Files.readString(file))
              .results()
              .forEach(match -> tags.put(match.group(1), file));
        }
      }
    }
    return tags;
  }

  @Test
  void eachTagIsAGroupAndEachGroupHasTests() throws IOException {
    Set<String> known = new TreeSet<>(groups().keySet());
    known.addAll(NOT_FAST);
    assertThat(tags().keySet()).as("tags of tests").isEqualTo(known);
  }

  @Test
  void theFoldersOfAllGroupsAreThere() throws IOException {
    List<String> missing =
        groups().values().stream()
            .flatMap(List::stream)
            .filter(folder -> !Files.isDirectory(SourceTree.path(folder)))
            .toList();
    assertThat(missing).isEmpty();
  }
}
