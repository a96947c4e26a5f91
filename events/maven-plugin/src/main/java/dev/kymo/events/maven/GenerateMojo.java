package dev.kymo.events.maven;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.generate.GeneratedFile;
import dev.kymo.events.generate.Generator;
import dev.kymo.events.parse.DefinitionFileReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** Writes a Java class for each subsystem that the project's definition files define. */
@Mojo(name = "generate", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
public final class GenerateMojo extends AbstractMojo {
  private static final String ENDING = ".pleco";

  /** Folder with the definition files: all files that end in {@code .pleco}, also in subfolders. */
  @Parameter(property = "kymo.events.source", defaultValue = "${project.basedir}/src/main/events")
  File sourceDirectory;

  /** Package of the classes. */
  @Parameter(property = "kymo.events.package", defaultValue = "events")
  String packageName;

  /**
   * Folder for the classes, which are compiled with the project's own. Java files in it that are no
   * longer generated are deleted.
   */
  @Parameter(defaultValue = "${project.build.directory}/generated-sources/kymo-events")
  File outputDirectory;

  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  MavenProject project;

  /** Maven makes the object, and sets its fields. */
  public GenerateMojo() {}

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (!sourceDirectory.isDirectory()) {
      throw new MojoFailureException("no such folder: sourceDirectory=" + sourceDirectory);
    }
    try {
      Map<Path, Path> written = generate();
      deleteOthers(written);
      project.addCompileSourceRoot(outputDirectory.getPath());
      getLog().info("wrote events: classes=" + written.size() + " folder=" + outputDirectory);
    } catch (DefinitionException e) {
      throw new MojoFailureException(
          "definitions are refused: errors=" + e.problems().size() + "\n" + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new MojoFailureException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new MojoExecutionException("events cannot be written: error=\"" + e + "\"", e);
    }
  }

  /** Returns which file each written class comes from. */
  private Map<Path, Path> generate() throws IOException, MojoFailureException {
    Generator generator = Generator.java(packageName);
    Map<Path, Path> written = new HashMap<>();
    for (Path file : definitionFiles()) {
      for (GeneratedFile each : generator.generate(DefinitionFileReader.read(file))) {
        Path path = each.writeTo(outputDirectory.toPath());
        Path other = written.put(path, file);
        if (other != null) {
          throw new MojoFailureException(
              "two files define the same class: class=%s files=%s,%s; rename a subsystem"
                  .formatted(path.getFileName(), other, file));
        }
      }
    }
    return written;
  }

  private List<Path> definitionFiles() throws IOException {
    try (Stream<Path> all = Files.walk(sourceDirectory.toPath())) {
      return all.filter(p -> p.toString().endsWith(ENDING)).sorted().toList();
    }
  }

  private void deleteOthers(Map<Path, Path> written) throws IOException {
    if (!outputDirectory.isDirectory()) {
      return; // there were no definitions
    }
    List<Path> others;
    try (Stream<Path> all = Files.walk(outputDirectory.toPath())) {
      others = all.filter(p -> p.toString().endsWith(".java") && !written.containsKey(p)).toList();
    }
    for (Path each : others) {
      Files.delete(each);
    }
  }
}
