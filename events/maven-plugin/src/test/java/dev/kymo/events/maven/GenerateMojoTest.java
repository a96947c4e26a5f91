package dev.kymo.events.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.AbstractMojoExecutionException;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the goal writes, deletes and refuses. */
class GenerateMojoTest {
  @TempDir Path directory;
  private final MavenProject project = new MavenProject();
  private Path source = Path.of("");
  private Path output = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    source = Files.createDirectories(directory.resolve("src/main/events/deeper"));
    output = directory.resolve("target/generated");
  }

  private void generate() throws AbstractMojoExecutionException {
    GenerateMojo mojo = new GenerateMojo();
    mojo.sourceDirectory = directory.resolve("src/main/events").toFile();
    mojo.outputDirectory = output.toFile();
    mojo.packageName = "a.b";
    mojo.project = project;
    mojo.execute();
  }

  private List<String> written() throws IOException {
    try (Stream<Path> files = Files.list(output.resolve("a/b"))) {
      return files.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void writesClassesThatAreCompiled() throws IOException, AbstractMojoExecutionException {
    Files.writeString(source.resolve("x.pleco"), "subsystem disk { event A \"\", };");
    Files.writeString(source.resolve("y.pleco"), "subsystem net { event A \"\", };");
    Files.writeString(source.resolve("z.txt"), "no definitions");
    generate();
    assertThat(written()).containsExactly("Disk.java", "Net.java");
    assertThat(project.getCompileSourceRoots()).containsExactly(output.toString());
  }

  @Test
  void leavesWhatIsTheSameAndDeletesWhatIsGone()
      throws IOException, AbstractMojoExecutionException {
    Files.writeString(source.resolve("x.pleco"), "subsystem disk { event A \"\", };");
    Files.writeString(source.resolve("y.pleco"), "subsystem net { event A \"\", };");
    generate();
    Object before =
        Files.readAttributes(output.resolve("a/b/Disk.java"), "unix:ino,lastModifiedTime");
    Files.writeString(source.resolve("y.pleco"), "subsystem ip { event A \"\", };");
    generate();
    assertThat(written()).containsExactly("Disk.java", "Ip.java");
    assertThat(Files.readAttributes(output.resolve("a/b/Disk.java"), "unix:ino,lastModifiedTime"))
        .isEqualTo(before);
  }

  @Test
  void refusesWithPlaces() throws IOException {
    Path file =
        Files.writeString(source.resolve("x.pleco"), "subsystem disk {\n  event A \"\"\n};");
    assertThatThrownBy(this::generate)
        .hasMessage("definitions are refused: errors=1\n" + file + ":2:13: expected ','");
    assertThat(project.getCompileSourceRoots()).isEmpty();
  }

  @Test
  void refusesTheSameClassTwice() throws IOException {
    Path x = Files.writeString(source.resolve("x.pleco"), "subsystem disk { event A \"\", };");
    Path y = Files.writeString(source.resolve("y.pleco"), "subsystem disk { event B \"\", };");
    assertThatThrownBy(this::generate)
        .hasMessage(
            "two files define the same class: class=Disk.java files=%s,%s; rename a subsystem"
                .formatted(x, y));
  }

  @Test
  void needsItsFolder() throws IOException {
    Files.delete(source);
    Files.delete(directory.resolve("src/main/events"));
    assertThatThrownBy(this::generate)
        .hasMessage("no such folder: sourceDirectory=" + directory.resolve("src/main/events"));
  }
}
