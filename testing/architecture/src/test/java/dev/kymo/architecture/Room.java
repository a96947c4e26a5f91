package dev.kymo.architecture;

import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A module of the build.
 *
 * @param path from the root of the source tree, {@code reading/model}
 * @param sees artifacts of Kymo that its main code depends on
 */
record Room(String path, String artifact, Set<String> sees) {
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern OWN = Pattern.compile("</parent>\\s*<artifactId>(.*?)</artifactId>");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(kymo-.*?)</artifactId>");

  /** All modules, in the order of the root's pom.xml. */
  static List<Room> all() {
    String root = read(SourceTree.path("pom.xml"));
    return MODULE.matcher(root).results().map(m -> of(m.group(1))).toList();
  }

  private static Room of(String path) {
    String pom = read(SourceTree.path(path).resolve("pom.xml"));
    Matcher own = OWN.matcher(pom);
    if (!own.find()) {
      throw new IllegalStateException("no artifactId: module=" + path);
    }
    Set<String> sees = new TreeSet<>();
    DEPENDENCY
        .matcher(pom)
        .results()
        .map(dependency -> dependency.group(1))
        .filter(text -> !text.contains("<scope>test</scope>") && !text.contains("<exclusions>"))
        .forEach(text -> ARTIFACT.matcher(text).results().forEach(m -> sees.add(m.group(1))));
    return new Room(path, own.group(1), sees);
  }

  /** The half that it belongs to: {@code format}, {@code recording}, {@code reading}, ... */
  String folder() {
    return path.contains("/") ? path.substring(0, path.indexOf('/')) : path;
  }

  /** Its compiled main code. */
  Path classes() {
    return SourceTree.path(path, "target", "classes");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
