package dev.kymo.e2e.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.reader.DefinitionReader;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingException;
import dev.kymo.reader.StreamSource;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * How linking every class of some jars ended, in the program {@code Linking}: as it is, or recorded
 * with probes in every method that can have them.
 *
 * @param outcomes a line for each class: its group, its name, and how that ended
 * @param weavers which weaver has woven a class, by its name
 * @param notices of the recording
 */
public record Linked(List<String> outcomes, Map<String, String> weavers, List<String> notices) {
  /** Begins the agent's line for each woven class. */
  private static final String WOVEN = "kymo: recording ";

  private static final String WEAVER = ": weaver=";
  private static final String END = " linked";

  /** It is about classes, and no program's speed: what the second compiler gains it has taken. */
  private static final List<String> BRIEF = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** Links the classes of these groups of jars as they are. */
  public static Linked plain(Jdk jdk, List<String> groups, Path folder) throws Exception {
    run(linking(jdk, groups, folder), folder);
    return new Linked(Files.readAllLines(folder.resolve("outcomes")), Map.of(), List.of());
  }

  /**
   * Links them woven by the agent.
   *
   * @param kymo the words before kymo's own arguments
   */
  public static Linked woven(List<String> kymo, Jdk jdk, List<String> groups, Path folder)
      throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> words = new ArrayList<>(kymo);
    words.addAll(List.of("record", "--quiet", "--verbose", "--no-index", "--min-size", "0"));
    words.addAll(List.of("--budget", "none", "-o", recording.toString(), "--"));
    words.addAll(linking(jdk, groups, folder));
    run(words, folder);
    Map<String, String> weavers = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("errors"))) {
      assertThat(line).startsWith(WOVEN).contains(WEAVER);
      int end = line.indexOf(WEAVER);
      weavers.put(line.substring(WOVEN.length(), end), line.substring(end + WEAVER.length()));
    }
    List<String> outcomes = Files.readAllLines(folder.resolve("outcomes"));
    return new Linked(outcomes, weavers, notices(recording));
  }

  private static List<String> linking(Jdk jdk, List<String> groups, Path folder) {
    List<String> words = new ArrayList<>(List.of(jdk.java().toString()));
    words.addAll(BRIEF);
    words.addAll(List.of("-cp", Programs.CLASSES.toString(), "Linking"));
    words.add(folder.resolve("outcomes").toString());
    words.addAll(groups);
    return words;
  }

  /** Runs a command. With many jars it takes minutes: TestWatch ends one that hangs. */
  private static void run(List<String> words, Path folder) throws Exception {
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectError(errors.toFile()).directory(folder.toFile());
    builder
        .redirectOutput(folder.resolve("output").toFile())
        .environment()
        .remove("JAVA_TOOL_OPTIONS");
    int exit = builder.start().waitFor();
    assertThat(exit).as(() -> words.getFirst() + " says: " + end(errors)).isZero();
  }

  private static String end(Path errors) {
    try {
      List<String> lines = Files.readAllLines(errors);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** One after the other: the methods of so many classes do not fit into a test's memory. */
  private static List<String> notices(Path path) throws RecordingException {
    List<String> notices = new ArrayList<>();
    try (Recording recording = Recording.open(path)) {
      for (StreamSource file : recording.definitionStreams()) {
        DefinitionReader stream = recording.definitions(file, recording.diagnostics());
        Definition definition = stream.next();
        while (definition != null) {
          if (definition instanceof Definition.Notice notice) {
            notices.add(notice.text());
          }
          definition = stream.next();
        }
      }
      assertThat(recording.diagnostics().kept()).isEmpty();
    }
    return notices;
  }

  /** Lines that differ: how a class ended plain, and how it ended woven. */
  public List<String> differencesFrom(Linked plain) {
    assertThat(outcomes).hasSameSizeAs(plain.outcomes);
    List<String> different = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (!outcomes.get(i).equals(plain.outcomes.get(i))) {
        different.add(plain.outcomes.get(i) + " -> " + outcomes.get(i));
      }
    }
    return different;
  }

  /** Linked classes with methods to record that are not woven, though no notice names them. */
  public List<String> silentlyPlain(List<String> groups) throws IOException {
    Set<String> left = new TreeSet<>();
    for (String outcome : outcomes) {
      if (outcome.endsWith(END) && !weavers.containsKey(nameIn(outcome))) {
        left.add(nameIn(outcome));
      }
    }
    Set<String> named = new HashSet<>();
    notices.forEach(notice -> named.add(notice.replaceFirst(".*: class=(\\S+) .*", "$1")));
    left.removeAll(named);
    List<String> silent = new ArrayList<>();
    for (String group : groups) {
      String[] words = group.split(":");
      for (int i = 1; i < words.length; i++) {
        addRecordable(Path.of(words[i]), left, silent);
      }
    }
    return silent;
  }

  private static String nameIn(String outcome) {
    return outcome.split(" ", 3)[1];
  }

  /** Takes the names of the jar's classes away: of two with the same name the first is linked. */
  private static void addRecordable(Path path, Set<String> names, List<String> recordable)
      throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      for (String name : List.copyOf(names)) {
        JarEntry entry = jar.getJarEntry(name.replace('.', '/') + ".class");
        if (entry != null && names.remove(name)) {
          try (InputStream in = jar.getInputStream(entry)) {
            if (hasMethods(ClassFile.of().parse(in.readAllBytes()))) {
              recordable.add(name);
            }
          }
        }
      }
    }
  }

  /** Whether it has a method that is not the compiler's own bridge to another one. */
  private static boolean hasMethods(ClassModel type) {
    return type.methods().stream()
        .anyMatch(method ->
            method.code().isPresent() && (method.flags().flagsMask() & ClassFile.ACC_BRIDGE) == 0);
  }

  /** How many classes there are, and how many of them each weaver has woven. */
  public String figures() {
    return "classes=%d linked=%d C=%d ASM=%d notices of methods=%d of classes=%d"
        .formatted(
            outcomes.size(),
            outcomes.stream().filter(line -> line.endsWith(END)).count(),
            count("C"),
            count("ASM"),
            notices.stream()
                .filter(text -> text.startsWith("methods are not recorded, for probes"))
                .count(),
            notices.stream().filter(text -> text.startsWith("class is not recorded")).count());
  }

  /** How many classes a weaver has woven. */
  public long count(String weaver) {
    return weavers.values().stream().filter(weaver::equals).count();
  }
}
