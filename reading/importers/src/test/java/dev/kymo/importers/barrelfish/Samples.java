package dev.kymo.importers.barrelfish;

import dev.kymo.testkit.SourceTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The real logs, and the counts expected in them. */
final class Samples {
  private static final Path FOLDER = SourceTree.path("corpus", "barrelfish");

  private Samples() {}

  static Path path(String name) {
    return FOLDER.resolve(name);
  }

  static byte[] bytes(String name) throws IOException {
    return Files.readAllBytes(path(name));
  }

  static List<String> names() throws IOException {
    return Files.readAllLines(path("expected.txt")).stream()
        .map(line -> line.substring(0, line.indexOf(' ')))
        .toList();
  }

  /** Numbers that are expected of a sample. */
  static Map<String, Long> expected(String name) throws IOException {
    String line =
        Files.readAllLines(path("expected.txt")).stream()
            .filter(l -> l.startsWith(name + " "))
            .findFirst()
            .orElseThrow();
    Map<String, Long> numbers = new HashMap<>();
    Arrays.stream(line.split(" "))
        .map(word -> word.split("="))
        .filter(parts -> parts.length == 2 && parts[1].matches("\\d+"))
        .forEach(parts -> numbers.put(parts[0], Long.parseLong(parts[1])));
    return numbers;
  }

  static LogFacts facts(byte[] log) throws IOException {
    LogFacts facts = new LogFacts();
    LineReader lines = new LineReader(new ByteArrayInputStream(log));
    for (String line = lines.next(); line != null; line = lines.next()) {
      facts.add(LineParser.parse(line));
    }
    return facts;
  }
}
