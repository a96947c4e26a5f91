package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kymo begins with the classes that the build has prepared. */
class StartTest {
  @ParameterizedTest
  @CsvSource({"record, record", "read, report"})
  void theCachesOfTheBuildFitItsClasses(String cache, String command) throws Exception {
    Path installation = Kymo.INSTALLATION;
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:AOTMode=on", // a cache that does not fit ends the virtual machine
                "-XX:AOTCache=" + installation.resolve(cache + ".aot"),
                "-XX:+UseSerialGC",
                "-Xlog:class+load",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                installation.resolve("lib") + "/*",
                "dev.kymo.cli.Main",
                command,
                "--help")
            .start();
    Kymo.Result result = Kymo.finish(process, "");
    assertThat(result.exit()).as(result.err() + result.out()).isZero();
    List<String> ours =
        result.out().lines().filter(line -> line.matches(".*] (dev.kymo|picocli)[.].*")).toList();
    assertThat(ours)
        .filteredOn(line -> line.contains("shared objects file"))
        .hasSizeGreaterThan(50);
    assertThat(ours).noneMatch(line -> line.contains("source: file:"));
  }

  /** Otherwise it loads them in a thread that records, whose stack may be about to end. */
  @ParameterizedTest
  @MethodSource("jdks")
  void whatTheJitWantsOfBuffersIsThereBeforeTheProgram(Jdk jdk, @TempDir Path folder)
      throws Exception {
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "-o",
            folder.resolve("known.kymo").toString(),
            "--",
            jdk.java().toString(),
            "-Xlog:class+load",
            "-cp",
            Programs.CLASSES.toString(),
            "Known");
    String segment = " java.lang.foreign.MemorySegment ";
    if (!result.out().contains(segment)) {
      segment = " jdk.internal.access.foreign.MemorySegmentProxy "; // of older ones
    }
    assertThat(result.out()).containsSubsequence(segment, " Known source:");
  }

  /** Java takes the classes from the cache, but does not know any more where they are from. */
  @Test
  void anInstallationThatWasMovedRecords(@TempDir Path folder) throws Exception {
    Path moved = folder.resolve("moved");
    Kymo.Result copied =
        Kymo.exec(folder, "cp", "-a", Kymo.INSTALLATION.toString(), moved.toString());
    assertThat(copied.exit()).as(copied.err()).isZero();
    List<String> command = Kymo.command();
    command.replaceAll(word -> word.replace(Kymo.INSTALLATION.toString(), moved.toString()));
    command.addAll(List.of("record", "-q", "-o", "moved.kymo", "--"));
    command.addAll(
        List.of(Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString(), "Beside"));
    Kymo.Result result = Kymo.exec(folder, command.toArray(String[]::new));
    assertThat(result).isEqualTo(new Kymo.Result(0, "program 49\n", ""));
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void aProgramWhoseRecordingIsOverLoadsOnlyTheEntry(Jdk jdk, @TempDir Path folder)
      throws Exception {
    Kymo.Result result =
        Kymo.exec(
            folder,
            jdk.java().toString(),
            "-Xlog:class+load",
            "-javaagent:" + Kymo.AGENT + "=" + folder.resolve("p1"),
            "-cp",
            Programs.CLASSES.toString(),
            "Beside");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines().filter(line -> line.contains(" dev.kymo.")))
        .extracting(line -> line.replaceAll(".*( dev[.]kymo[.][^ ]+).*", "$1").trim())
        .containsExactly("dev.kymo.agent.AgentMain", "dev.kymo.agent.BootClasses");
    assertThat(result.out()).contains("program 49\n");
  }

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "/nowhere\n"})
  void aJdkIsLookedForIfThatOfTheBuildIsNotKnown(String built, @TempDir Path tree)
      throws Exception {
    builtTree(tree, built);
    for (String given : List.of("", System.getProperty("java.home"))) {
      ProcessBuilder command = new ProcessBuilder(tree.resolve("kymo").toString(), "--version");
      command.environment().put("KYMO_JAVA_HOME", given);
      Kymo.Result result = Kymo.finish(command.start(), "");
      assertThat(result.out()).as(result.err()).startsWith("kymo ");
      assertThat(result.err()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pom.xml",
        "cli/pom.xml",
        "cli/src/main/java/Main.java",
        "reading/viewer/package.json",
        "config/aot-cache.sh",
        "recording/native/Makefile",
        "session/src/main/java/Run.java",
        "recording/native/threads/mutex.c"
      })
  void whatTheBuildIsMadeOfIsBuiltAnewWhenItChanges(String changed, @TempDir Path tree)
      throws Exception {
    builtTree(tree, System.getProperty("java.home") + "\n");
    Path file = tree.resolve(changed);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, "");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(60)));
    Path programs = Files.createDirectory(tree.resolve("without-maven"));
    for (String program : List.of("bash", "find")) {
      Files.createSymbolicLink(programs.resolve(program), Path.of("/usr/bin", program));
    }
    ProcessBuilder command = new ProcessBuilder(tree.resolve("kymo").toString(), "--version");
    command.environment().put("PATH", programs.toString());
    Kymo.Result result = Kymo.finish(command.start(), "");
    assertThat(result.err())
        .startsWith(
            "kymo: to build it, this machine lacks: Maven (package maven); Node.js 20.19 or")
        .hasLineCount(1);
    assertThat(result.exit()).isEqualTo(1);
  }

  /** As in a pipeline of two commands, the first time. */
  @Test
  void oneOfSeveralCommandsBuilds(@TempDir Path tree) throws Exception {
    builtTree(tree, System.getProperty("java.home") + "\n");
    Path changed = tree.resolve("pom.xml");
    Files.setLastModifiedTime(changed, FileTime.from(Instant.now().plusMillis(10)));
    Path programs = Files.createDirectory(tree.resolve("programs"));
    Path builds = tree.resolve("builds");
    for (String program : List.of("mvn", "npm")) {
      Path fake = programs.resolve(program);
      Files.writeString(fake, "#!/bin/sh\necho " + program + " >> " + builds + "\nsleep 1\n");
      Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Files.writeString(tree.resolve("config/aot-cache.sh"), "#!/bin/sh\n");
    List<Process> commands = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ProcessBuilder command = new ProcessBuilder(tree.resolve("kymo").toString(), "--version");
      command.environment().merge("PATH", programs + ":", (path, first) -> first + path);
      commands.add(command.start());
    }
    for (Process command : commands) {
      Kymo.Result result = Kymo.finish(command, "");
      assertThat(result.out()).as(result.err()).startsWith("kymo ");
    }
    assertThat(builds).hasContent("mvn");
  }

  /** The part of a source tree that {@code ./kymo} looks at, just built. */
  private static void builtTree(Path tree, String built) throws Exception {
    Path source = SourceTree.path("");
    Path installed = Files.createDirectories(tree.resolve("cli/target/kymo"));
    for (String part : List.of("lib", "record.aot")) {
      Files.createSymbolicLink(installed.resolve(part), Kymo.INSTALLATION.resolve(part));
    }
    List<String> folders =
        List.of(
            "cli/src",
            "config",
            "events",
            "examples",
            "format",
            "integrations",
            "optional",
            "reading/viewer",
            "recording/native",
            "session",
            "testing/bench");
    for (String folder : folders) {
      Files.createDirectories(tree.resolve(folder));
    }
    for (String file :
        List.of(
            "kymo",
            "config/build.sh",
            "config/find-jdk.sh",
            "config/launch.sh",
            "config/options.sh")) {
      Files.copy(source.resolve(file), tree.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.createFile(tree.resolve("pom.xml"));
    Files.createFile(tree.resolve("cli/pom.xml"));
    Files.writeString(installed.resolve(".built"), built);
  }
}
