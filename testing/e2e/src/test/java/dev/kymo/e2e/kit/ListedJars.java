package dev.kymo.e2e.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jars of {@code src/jars/jars.txt}, which Maven fetches. */
public final class ListedJars {
  private static final Path LIST = Path.of("src/jars/jars.txt").toAbsolutePath();
  private static final Path MAVEN = Path.of("/usr/bin/mvn");

  /** Where Maven writes the place of a project's only jar. */
  private static final String PLACE = "place";

  private static final String PROJECT =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>jars</groupId><artifactId>%s</artifactId><version>1</version>
        <packaging>pom</packaging>
        %s
      </project>
      """;

  private static final String DEPENDENCY =
      """
      <dependencies><dependency>
        <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
        <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
      </dependency></dependencies>
      """;

  private ListedJars() {}

  /** A line of the list. */
  private record Jar(String group, String name) {
    String project() {
      return name.replace(':', '_');
    }
  }

  private static List<Jar> list() throws IOException {
    return Files.readAllLines(LIST).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" "))
        .map(words -> new Jar(words[0], words[1]))
        .toList();
  }

  /**
   * Groups of jars, as {@code Linking} takes them. What cannot be had is named and left out.
   *
   * @param folder where Maven may work
   */
  public static List<String> fetch(Path folder) throws Exception {
    return groups(folder, list(), fetch(folder, list()));
  }

  /**
   * One jar.
   *
   * @param folder where Maven may work
   * @param name {@code GROUP:ARTIFACT:VERSION}
   */
  public static Path fetch(Path folder, String name) throws Exception {
    List<Jar> jar = List.of(new Jar("one", name));
    List<String> groups = groups(folder, jar, fetch(folder, jar));
    assumeTrue(!groups.isEmpty(), "skipped: Maven did not fetch it: " + name);
    return Path.of(groups.getFirst().substring("one:".length()));
  }

  private static Kymo.Result fetch(Path folder, List<Jar> jars) throws Exception {
    assumeTrue(Files.isExecutable(MAVEN), "skipped: not installed: maven");
    // A project for each jar: one that cannot be had keeps Maven from no other.
    StringBuilder modules = new StringBuilder();
    for (Jar jar : jars) {
      Path project = Files.createDirectories(folder.resolve(jar.project()));
      String dependency = DEPENDENCY.formatted((Object[]) jar.name.split(":"));
      Files.writeString(project.resolve("pom.xml"), PROJECT.formatted(jar.project(), dependency));
      modules.append("<module>").append(jar.project()).append("</module>");
    }
    Files.writeString(
        folder.resolve("pom.xml"), PROJECT.formatted("all", "<modules>" + modules + "</modules>"));
    return Kymo.exec(
        folder,
        "env",
        "JAVA_HOME=" + Jdk.running().home(),
        MAVEN.toString(),
        "-B",
        "-q",
        "--fail-at-end",
        "org.apache.maven.plugins:maven-dependency-plugin:%s:build-classpath"
            .formatted(pluginVersion()),
        "-Dmdep.outputFile=" + PLACE);
  }

  private static String pluginVersion() throws IOException {
    Matcher matcher =
        Pattern.compile("maven-dependency-plugin</artifactId>\\s*<version>(.*?)<")
            .matcher(Files.readString(SourceTree.path("pom.xml")));
    if (!matcher.find()) {
      throw new AssertionError("pom.xml has no version of maven-dependency-plugin");
    }
    return matcher.group(1);
  }

  private static List<String> groups(Path folder, List<Jar> jars, Kymo.Result said)
      throws IOException {
    Map<String, String> groups = new LinkedHashMap<>();
    List<String> missing = new ArrayList<>();
    for (Jar jar : jars) {
      Path place = folder.resolve(jar.project()).resolve(PLACE);
      if (Files.exists(place)) {
        groups.merge(jar.group, ":" + Files.readString(place).strip(), String::concat);
      } else {
        missing.add(jar.name);
      }
    }
    if (!missing.isEmpty()) {
      System.out.println("skipped: Maven did not fetch them: " + missing + "\n" + said.out());
    }
    return groups.entrySet().stream().map(group -> group.getKey() + group.getValue()).toList();
  }
}
