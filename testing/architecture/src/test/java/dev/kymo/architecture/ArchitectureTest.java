package dev.kymo.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows of docs/design/architecture.md: who may see whom. */
class ArchitectureTest {
  /** What the modules of a folder may see besides each other; other folders may see anything. */
  private static final Map<String, Set<String>> FOLDERS =
      Map.of(
          "format", Set.of(),
          "recording", Set.of("format"),
          "integrations", Set.of("format", "recording"),
          "optional", Set.of("format", "recording"),
          "reading", Set.of("format"),
          "events", Set.of("format"));

  /** Each sees those left of it. */
  private static final List<String> READING =
      List.of(
          "viewer",
          "instructions",
          "reader",
          "model",
          "analysis",
          "tables",
          "scripts",
          "importers",
          "exporters",
          "query",
          "symbols",
          "editing",
          "server");

  private static final List<Room> ROOMS = Room.all();

  private static final Pattern SOURCES = Pattern.compile("/src/(main|test)/java\\d*/");

  @Test
  void halvesMeetInTheFormat() {
    Map<String, Room> byArtifact =
        ROOMS.stream().collect(Collectors.toMap(Room::artifact, room -> room));
    Map<String, String> crossing = new TreeMap<>();
    for (Room room : ROOMS) {
      Set<String> others = FOLDERS.get(room.folder());
      for (String artifact : room.sees()) {
        Room seen = byArtifact.get(artifact);
        assertThat(seen).as("module with artifact %s", artifact).isNotNull();
        boolean inside = seen.folder().equals(room.folder());
        if (others != null && !inside && !others.contains(seen.folder())) {
          crossing.put(room.path(), seen.path());
        }
      }
    }
    assertThat(crossing).as("arrows that cross").isEmpty();
  }

  /** They are looked up when they are used, and may be missing. */
  @Test
  void nobodySeesWhatIsOptional() {
    Set<String> optional =
        ROOMS.stream()
            .filter(room -> room.folder().equals("optional"))
            .map(Room::artifact)
            .collect(Collectors.toSet());
    assertThat(optional).isNotEmpty();
    for (Room room : ROOMS) {
      assertThat(room.sees()).as("what %s sees", room.path()).doesNotContainAnyElementsOf(optional);
    }
  }

  /** What records does not depend on how it is asked for. */
  @Test
  void onlyCommandsSeeTheSession() {
    assertThat(ROOMS)
        .filteredOn(room -> room.sees().contains("kymo-session"))
        .extracting(Room::folder)
        .containsExactly("cli");
  }

  @Test
  void roomsOfReadingSeeThoseLeftOfThem() {
    for (Room room : ROOMS) {
      if (room.folder().equals("reading")) {
        int place = READING.indexOf(name(room.path()));
        assertThat(place).as("place of %s", room.path()).isNotNegative();
        assertThat(room.sees().stream().filter(seen -> READING.contains(name(seen))))
            .as("what %s sees", room.path())
            .allMatch(seen -> READING.indexOf(name(seen)) < place);
      }
    }
  }

  private static String name(String pathOrArtifact) {
    return pathOrArtifact.replaceFirst("^(.*/|kymo-)", "");
  }

  @Test
  void tracedProgramsGetNothingOfOthers() {
    JavaClasses inside = classes(List.of("format/format", "recording/api", "recording/recorder"));
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat(
            new DescribedPredicate<JavaClass>("are neither Kymo's nor the JDK's") {
              @Override
              public boolean test(JavaClass type) {
                String name = type.getBaseComponentType().getName();
                return Stream.of(
                            "dev.kymo.", "java.", "javax.net.", "jdk.", "sun.", "org.jspecify.")
                        .noneMatch(name::startsWith)
                    && name.contains(".");
              }
            })
        .check(inside);
  }

  /** Else ./kymo would go on with what was built before a change, and tests would have no group. */
  @ParameterizedTest
  @ValueSource(strings = {"kymo", "testing/run.sh"})
  void scriptsKnowTheFoldersOfAllRooms(String script) throws IOException {
    String text = Files.readString(SourceTree.path(script));
    assertThat(ROOMS)
        .extracting(Room::folder)
        .filteredOn(folder -> !folder.equals("testing"))
        .allSatisfy(folder -> assertThat(text).containsPattern("[ ,{]" + folder + "[ ,}]"));
  }

  /** More are not understood at once; tests, too. */
  @Test
  void packagesHaveAtMostFortyFiles() throws IOException {
    try (Stream<Path> files = Files.walk(SourceTree.path("."))) {
      Map<Path, Long> sizes =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> SOURCES.matcher(file.toString()).find())
              .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
      assertThat(sizes).hasSizeGreaterThan(100);
      assertThat(sizes.entrySet())
          .filteredOn(each -> each.getValue() > 40)
          .as("packages of more than 40 files")
          .isEmpty();
    }
  }

  /** One name, one meaning; what users of the integrations write has names of its own. */
  @Test
  void publicNamesStandOnce() throws IOException {
    Map<String, List<String>> places = new TreeMap<>();
    try (Stream<Path> files = Files.walk(SourceTree.path("."))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String path = SourceTree.path(".").relativize(file).toString();
        String name = file.getFileName().toString().replace(".java", "");
        if (path.contains("src/main/java/") && !path.startsWith("integrations/")) {
          Pattern type =
              Pattern.compile("(?m)^public [a-z -]*(class|record|interface|enum) " + name);
          if (type.matcher(Files.readString(file)).find()) {
            places.computeIfAbsent(name, none -> new ArrayList<>()).add(path);
          }
        }
      }
    }
    assertThat(places).hasSizeGreaterThan(500);
    assertThat(places.values()).as("of one name").allMatch(each -> each.size() == 1);
  }

  /** Packages of a module that see each other in a circle cannot be understood one by one. */
  @TestFactory
  Stream<DynamicTest> packagesFormNoCircle() {
    return ROOMS.stream()
        .filter(room -> Files.isDirectory(room.classes().resolve("dev")))
        .map(room -> DynamicTest.dynamicTest(room.path(), () -> noCircle(room)));
  }

  private static void noCircle(Room room) {
    slices()
        .matching("dev.kymo.(**)")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .check(classes(List.of(room.path())));
  }

  private static JavaClasses classes(List<String> paths) {
    JavaClasses found =
        new ClassFileImporter()
            .importPaths(
                ROOMS.stream()
                    .filter(room -> paths.contains(room.path()))
                    .map(Room::classes)
                    .toList());
    assertThat(found).as("classes of %s", paths).isNotEmpty();
    return found;
  }
}
